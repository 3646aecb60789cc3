/* The yardstick for the kernel of TZAAR: the same rows, tables and steps in plain C, without the
   placement. benchmarks/tzaar_kernel.py compiles it and hands over the tables; it is never shipped. */

#include <stdint.h>

typedef uint64_t word;
enum { DIGITS = 5, FIELD = 7, BELOW = 2, TZARRAS = 21, TZAARS = 22, STATE = 23, KEY = 24, WORDS = 25 };
enum { SIZE = 60, PASS = SIZE * SIZE, MOST_ACTIONS = 181, TWO = 1 };

static const int64_t (*point_at)[SIZE];
static const word (*bit_of)[SIZE], *not_highest, (*piece_keys)[SIZE], (*below_keys)[SIZE];
static const word *state_keys, *next_state;

void use_tables(const void *a, const void *b, const void *c, const void *d, const void *e,
                const void *f, const void *g) {
    point_at = a, bit_of = b, not_highest = c, piece_keys = d, below_keys = e, state_keys = f,
    next_state = g;
}

static word next_above(word stacks, word occupied, int direction) {
    word inside = not_highest[direction];
    return (((stacks & inside) << 1) + (inside & ~occupied)) & occupied;
}

static int extinct(const word *row, int side) {
    word stacks = row[side], tzarras = row[TZARRAS], tzaars = row[TZAARS];
    return !(stacks & ~(tzarras | tzaars)) || !(stacks & tzarras) || !(stacks & tzaars);
}

static int list_steps(word uppers, word occupied, int direction, int upward, int32_t *out, int count) {
    while (uppers) {
        int upper = __builtin_ctzll(uppers);
        uppers &= uppers - 1;
        int lower = 63 - __builtin_clzll(occupied & (((word)1 << upper) - 1));
        int64_t low = point_at[direction][lower], high = point_at[direction][upper];
        out[count++] = upward ? low * SIZE + high : high * SIZE + low;
    }
    return count;
}

static int generate(const word *row, int32_t *out) {
    int side = row[STATE] & 1, second = (row[STATE] >> 1 & 3) == TWO, total = 0, digits = DIGITS;
    if (extinct(row, 0) || extinct(row, 1)) return 0;
    while (digits && !row[BELOW + digits - 1]) digits--;
    for (int direction = 0; direction < 3; direction++) {
        const word *field = row + direction * FIELD;
        word own = field[side], enemy = field[1 - side], occupied = own | enemy;
        word above_own = next_above(own, occupied, direction);
        word upward = above_own & enemy, downward = next_above(enemy, occupied, direction) & own;
        word lower_wins = ~(word)0, upper_wins = ~(word)0;
        for (int digit = 0; digit < digits; digit++) {
            word upper = field[BELOW + digit], lower = next_above(upper, occupied, direction);
            word same = ~(upper ^ lower);
            lower_wins = (lower_wins & same) | (lower & ~upper);
            upper_wins = (upper_wins & same) | (upper & ~lower);
        }
        upward &= lower_wins, downward &= upper_wins;
        if (second) upward |= above_own & own, downward |= above_own & own;
        total = list_steps(upward, occupied, direction, 1, out, total);
        total = list_steps(downward, occupied, direction, 0, out, total);
    }
    if (second) out[total++] = PASS;
    return total;
}

static void play(const word *restrict before, word *restrict after, int32_t action) {
    word state = before[STATE], key = before[KEY];
    for (int i = 0; i < WORDS; i++) after[i] = before[i];
    if (action != PASS) {
        int origin = action / SIZE, target = action % SIZE, side = state & 1;
        word tzarras = before[TZARRAS], tzaars = before[TZAARS];
        word both = (word)1 << origin | (word)1 << target, stacking = before[side] >> target & 1;
        word tzarra = tzarras >> origin & 1, tzaar = tzaars >> origin & 1;
        after[TZARRAS] = (tzarras & ~both) | tzarra << target;
        after[TZAARS] = (tzaars & ~both) | tzaar << target;
        word top = 3 * side + tzarra + 2 * tzaar, covered_side = side ^ 1 ^ stacking;
        word covered = 3 * covered_side + (tzarras >> target & 1) + 2 * (tzaars >> target & 1);
        key ^= piece_keys[top][origin] ^ piece_keys[top][target] ^ piece_keys[covered][target];
        word tall = 0, below_origin = 0, below_target = 0;
        for (int digit = 0; digit < DIGITS; digit++) tall |= before[BELOW + digit];
        if (tall & both)
            for (int digit = 0; digit < DIGITS; digit++) {
                below_origin |= (before[BELOW + digit] >> origin & 1) << digit;
                below_target |= (before[BELOW + digit] >> target & 1) << digit;
            }
        word below_top = stacking ? below_origin + below_target + 1 : below_origin;
        word digits = below_origin | below_target | below_top;
        if (digits)
            key ^= below_keys[below_origin][origin] ^ below_keys[below_target][target] ^
                   below_keys[below_top][target];
        for (int direction = 0; direction < 3; direction++) {
            word *field = after + direction * FIELD;
            word left = bit_of[direction][origin], reached = bit_of[direction][target];
            field[side] = (field[side] & ~left) | reached;
            field[1 - side] &= ~reached;
            for (int digit = 0; digits >> digit; digit++)
                field[BELOW + digit] = (field[BELOW + digit] & ~(left | reached)) |
                                       (below_top >> digit & 1 ? reached : 0);
        }
    }
    after[STATE] = next_state[state];
    after[KEY] = key ^ state_keys[state] ^ state_keys[next_state[state]];
}

int64_t perft(word *row, int32_t *buffer, int64_t depth) {
    int count = generate(row, buffer);
    int64_t total = 0;
    for (int i = 0; i < count; i++) {
        play(row, row + WORDS, buffer[i]);
        total += depth == 1 ? 1 : perft(row + WORDS, buffer + MOST_ACTIONS, depth - 1);
    }
    return total;
}
