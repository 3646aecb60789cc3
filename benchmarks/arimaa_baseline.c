/* A yardstick: the step generator of trine.games.arimaa.kernel, function for function, in C.
 *
 * arimaa_kernel.py compiles and times it; it is no part of the package. Rows, words and numbers of
 * actions are those of the kernel, and so are the tables, which the benchmark hands over. Setups are
 * left out: counting begins after them.
 */

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t u64;

enum { BOARD = 0, START = 4, BOARD_KEY = 8, START_KEY = 9, STATE = 10, FOLLOWERS = 11, WORDS = 12 };
enum { NORTH, EAST, SOUTH, WEST };
enum { DIAGONAL = 256, END = 512, ONGOING = -1, DRAW = -2, MOST_ACTIONS = 137 };

#define ONE ((u64)1)
#define IS_DIAGONAL ((u64)1)
#define IS_EJECTION ((u64)2)
#define IS_LOSING ((u64)4)
#define MOVER ((u64)8)
#define MOVER_AT 3
#define PUSHING ((u64)32)
#define DUE ((u64)64)
#define STEPS ((u64)31 << 8)
#define ONE_STEP ((u64)1 << 8)
#define TWO_STEPS ((u64)2 << 8)
#define THREE_STEPS ((u64)3 << 8)
#define FOUR_STEPS ((u64)4 << 8)
#define LEFT ((u64)63 << 16)
#define LEFT_AT 16
#define STRENGTH ((u64)7 << 22)
#define STRENGTH_AT 22
#define FOLLOWING (PUSHING | DUE | LEFT | STRENGTH)
#define OF_TURN (FOLLOWING | STEPS)

#define TRAP_SQUARES ((u64)0x0000240000240000)
#define RANK_1 ((u64)0xff)
#define RANK_8 ((u64)0xff << 56)
#define NOT_A ((u64)0xfefefefefefefefe)
#define NOT_H ((u64)0x7f7f7f7f7f7f7f7f)

static u64 beside_square[64], reach[2][64], target_square[512], target_bit[512];
static u64 piece_keys[16][65], stir_first, stir_then;
static int64_t step_over[19];

void set_tables(const u64 *beside_squares, const u64 *reaches, const u64 *targets,
                const u64 *target_bits, const int64_t *steps_over, const u64 *keys, u64 first,
                u64 then)
{
    for (int i = 0; i < 64; i++) {
        beside_square[i] = beside_squares[i];
        reach[0][i] = reaches[i];
        reach[1][i] = reaches[64 + i];
    }
    for (int i = 0; i < 512; i++) {
        target_square[i] = targets[i];
        target_bit[i] = target_bits[i];
    }
    for (int i = 0; i < 19; i++)
        step_over[i] = steps_over[i];
    for (int i = 0; i < 16 * 65; i++)
        piece_keys[i / 65][i % 65] = keys[i];
    stir_first = first;
    stir_then = then;
}

static inline int lowest(u64 bits) { return __builtin_ctzll(bits); }
static inline int count(u64 bits) { return __builtin_popcountll(bits); }

static inline u64 stir(u64 word)
{
    word = (word ^ word >> 32) * stir_first;
    word = (word ^ word >> 32) * stir_then;
    return word ^ word >> 32;
}

static inline u64 piece_on(u64 square, u64 low, u64 middle, u64 high, u64 silver)
{
    return (low >> square & 1) | (middle >> square & 1) << 1 | (high >> square & 1) << 2 |
           (silver >> square & 1) << 3;
}

static inline u64 beside(u64 squares)
{
    return squares << 8 | squares >> 8 | (squares & NOT_H) << 1 | (squares & NOT_A) >> 1;
}

static inline u64 exceeding(u64 low, u64 middle, u64 high, u64 not_low, u64 not_middle, u64 not_high)
{
    u64 greater = low & not_low;
    greater = (middle & not_middle) | ((middle | not_middle) & greater);
    return (high & not_high) | ((high | not_high) & greater);
}

static inline u64 outmatched(u64 by, u64 low, u64 middle, u64 high, bool diagonal)
{
    u64 nl = ~low, nm = ~middle, nh = ~high;
    low &= by, middle &= by, high &= by;
    u64 el = low & NOT_H, em = middle & NOT_H, eh = high & NOT_H;
    u64 wl = low & NOT_A, wm = middle & NOT_A, wh = high & NOT_A;
    u64 found = exceeding(low << 8, middle << 8, high << 8, nl, nm, nh) |
                exceeding(low >> 8, middle >> 8, high >> 8, nl, nm, nh) |
                exceeding(el << 1, em << 1, eh << 1, nl, nm, nh) |
                exceeding(wl >> 1, wm >> 1, wh >> 1, nl, nm, nh);
    if (diagonal)
        found |= exceeding(el << 9, em << 9, eh << 9, nl, nm, nh) |
                 exceeding(el >> 7, em >> 7, eh >> 7, nl, nm, nh) |
                 exceeding(wl << 7, wm << 7, wh << 7, nl, nm, nh) |
                 exceeding(wl >> 9, wm >> 9, wh >> 9, nl, nm, nh);
    return found;
}

static inline u64 unfrozen(u64 own, u64 low, u64 middle, u64 high, u64 enemies, bool diagonal)
{
    return own & (beside(own) | ~outmatched(enemies, low, middle, high, diagonal));
}

static inline u64 weaker_than(u64 strength, u64 low, u64 middle, u64 high)
{
    return exceeding(strength & 1 ? ~(u64)0 : 0, strength & 2 ? ~(u64)0 : 0,
                     strength & 4 ? ~(u64)0 : 0, ~low, ~middle, ~high);
}

static inline u64 stronger_than(u64 strength, u64 low, u64 middle, u64 high)
{
    return exceeding(low, middle, high, strength & 1 ? 0 : ~(u64)0, strength & 2 ? 0 : ~(u64)0,
                     strength & 4 ? 0 : ~(u64)0);
}

static inline int64_t judged(const u64 *row)
{
    u64 low = row[BOARD], middle = row[BOARD + 1], high = row[BOARD + 2], silver = row[BOARD + 3];
    u64 rabbits = low & ~(middle | high);
    bool gold_goal = rabbits & ~silver & RANK_8, silver_goal = rabbits & silver & RANK_1;
    int64_t to_move = row[STATE] >> MOVER_AT & 1;
    if (gold_goal && silver_goal)
        return 1 - to_move;
    if (gold_goal)
        return 0;
    if (silver_goal)
        return 1;
    bool gold_left = rabbits & ~silver, silver_left = rabbits & silver;
    if (gold_left && silver_left)
        return ONGOING;
    if (row[STATE] & IS_LOSING)
        return gold_left || silver_left ? (gold_left ? 0 : 1) : 1 - to_move;
    return gold_left || silver_left ? ONGOING : DRAW;
}

static inline int64_t put(u64 squares, int direction, int32_t *out, int64_t total)
{
    for (; squares; squares &= squares - 1)
        out[total++] = lowest(squares) * 4 + direction;
    return total;
}

static inline int64_t put_followers(u64 followers, u64 left, int32_t *out, int64_t total)
{
    for (; followers; followers &= followers - 1) {
        int square = lowest(followers);
        out[total++] = square * 4 + step_over[(int)left - square + 9];
    }
    return total;
}

static inline u64 changed(const u64 *row)
{
    return (row[BOARD] ^ row[START]) | (row[BOARD + 1] ^ row[START + 1]) |
           (row[BOARD + 2] ^ row[START + 2]) | (row[BOARD + 3] ^ row[START + 3]);
}

static inline u64 piece_of(const u64 *row, int board, u64 square)
{
    return piece_on(square, row[board], row[board + 1], row[board + 2], row[board + 3]);
}

static void undoing(const u64 *row, u64 difference, u64 *from, u64 *to)
{
    u64 occupied = row[BOARD] | row[BOARD + 1] | row[BOARD + 2];
    u64 begun = row[START] | row[START + 1] | row[START + 2];
    u64 origin = difference & ~begun, target = difference & ~occupied;
    *from = *to = 0;
    if (count(difference) == 2 && origin && target &&
        piece_of(row, BOARD, lowest(origin)) == piece_of(row, START, lowest(target)))
        *from = origin, *to = target;
}

static void undoing_push(const u64 *row, u64 difference, u64 free, u64 *from, u64 *to)
{
    *from = *to = 0;
    if (count(difference) != 3)
        return;
    u64 occupied = row[BOARD] | row[BOARD + 1] | row[BOARD + 2];
    u64 begun = row[START] | row[START + 1] | row[START + 2];
    u64 victim = occupied & begun & difference, target = begun & ~occupied & difference;
    u64 by = occupied & ~begun & difference;
    if (!victim || !target || !by)
        return;
    int square = lowest(victim);
    u64 piece = piece_of(row, BOARD, square);
    if (piece != piece_of(row, START, lowest(target)) ||
        piece_of(row, BOARD, lowest(by)) != piece_of(row, START, square))
        return;
    u64 stronger = stronger_than(piece & 7, row[BOARD], row[BOARD + 1], row[BOARD + 2]);
    if ((stronger & free & reach[row[STATE] & IS_DIAGONAL][square]) == by)
        *from = victim, *to = target;
}

static inline int64_t generate_steps(const u64 *row, int32_t *out)
{
    u64 low = row[BOARD], middle = row[BOARD + 1], high = row[BOARD + 2], silver = row[BOARD + 3];
    u64 state = row[STATE], steps = state & STEPS, followers = row[FOLLOWERS];
    u64 left = state >> LEFT_AT & 63, difference = changed(row), back_from = 0, back_to = 0;
    int64_t total = 0;
    if (steps == THREE_STEPS) {
        undoing(row, difference, &back_from, &back_to);
        if (followers && back_to == ONE << left)
            followers &= ~back_from;
    }
    if (state & DUE)
        return put_followers(followers, left, out, total);
    if (steps && difference)
        out[total++] = END;
    if (steps == FOUR_STEPS)
        return total;
    bool diagonal = state & IS_DIAGONAL;
    u64 occupied = low | middle | high, empty = ~occupied;
    u64 own = state & MOVER ? silver : occupied & ~silver, enemies = occupied ^ own;
    u64 free = unfrozen(own, low, middle, high, enemies, diagonal);
    u64 rabbits = low & ~(middle | high);
    u64 north = state & MOVER ? free & ~rabbits : free;
    u64 south = state & MOVER ? free : free & ~rabbits;
    u64 east = free, west = free;
    if (steps < THREE_STEPS) {
        u64 pushed = outmatched(free, low, middle, high, diagonal) & enemies;
        if (state & IS_EJECTION) {
            total = put(pushed & rabbits & RANK_8, NORTH, out, total);
            total = put(pushed & rabbits & RANK_1, SOUTH, out, total);
        }
        u64 pushed_north = pushed & empty >> 8, pushed_south = pushed & empty << 8;
        u64 pushed_east = pushed & (empty & NOT_A) >> 1, pushed_west = pushed & (empty & NOT_H) << 1;
        if (steps == TWO_STEPS) {
            u64 victim, target;
            undoing_push(row, difference, free, &victim, &target);
            pushed_north &= ~(victim & target >> 8);
            pushed_south &= ~(victim & target << 8);
            pushed_east &= ~(victim & (target & NOT_A) >> 1);
            pushed_west &= ~(victim & (target & NOT_H) << 1);
        }
        north |= pushed_north;
        south |= pushed_south;
        east |= pushed_east;
        west |= pushed_west;
    }
    north &= empty >> 8 & ~(back_from & back_to >> 8);
    south &= empty << 8 & ~(back_from & back_to << 8);
    east &= (empty & NOT_A) >> 1 & ~(back_from & (back_to & NOT_A) >> 1);
    west &= (empty & NOT_H) << 1 & ~(back_from & (back_to & NOT_H) << 1);
    if (followers) {
        u64 hole = ONE << left;
        north |= followers & hole >> 8;
        south |= followers & hole << 8;
        east |= followers & (hole & NOT_A) >> 1;
        west |= followers & (hole & NOT_H) << 1;
        if (diagonal)
            total = put_followers(followers & ~beside_square[left], left, out, total);
    }
    total = put(north, NORTH, out, total);
    total = put(east, EAST, out, total);
    total = put(south, SOUTH, out, total);
    return put(west, WEST, out, total);
}

static inline int64_t generate(const u64 *row, int32_t *out)
{
    if (!(row[STATE] & STEPS) && judged(row) != ONGOING)
        return 0;
    return generate_steps(row, out);
}

static inline u64 pushers(u64 square, u64 strength, u64 low, u64 middle, u64 high, u64 own,
                          u64 diagonal)
{
    u64 found = stronger_than(strength, low, middle, high) & own & reach[diagonal][square];
    u64 enemies = (low | middle | high) & ~own;
    for (u64 alone = found & ~beside(own); alone; alone &= alone - 1) {
        int lone = lowest(alone);
        u64 stronger = stronger_than(piece_on(lone, low, middle, high, 0), low, middle, high);
        if (stronger & enemies & reach[diagonal][lone])
            found ^= ONE << lone;
    }
    return found;
}

static inline void step_into(const u64 *row, int64_t action, u64 *after)
{
    u64 low = row[BOARD], middle = row[BOARD + 1], high = row[BOARD + 2], silver = row[BOARD + 3];
    u64 state = row[STATE], origin = action >> 2 & 63, target = target_bit[action];
    u64 both = ONE << origin | target;
    u64 piece = piece_on(origin, low, middle, high, silver);
    u64 new_low = low ^ (piece & 1 ? both : 0), new_middle = middle ^ (piece & 2 ? both : 0);
    u64 new_high = high ^ (piece & 4 ? both : 0), new_silver = silver ^ (piece & 8 ? both : 0);
    u64 board_key = row[BOARD_KEY] ^ piece_keys[piece][origin] ^
                    piece_keys[piece][target_square[action]];
    u64 side = piece & 8 ? new_silver : (new_low | new_middle | new_high) & ~new_silver;
    u64 lost = side & TRAP_SQUARES & ~beside(side);
    if (lost) {
        int trap = lowest(lost);
        board_key ^= piece_keys[piece_on(trap, new_low, new_middle, new_high, new_silver)][trap];
        new_low &= ~lost, new_middle &= ~lost, new_high &= ~lost, new_silver &= ~lost;
    }
    u64 strength = piece & 7, diagonal = state & IS_DIAGONAL, occupied = low | middle | high;
    u64 own = state & MOVER ? silver : occupied & ~silver;
    u64 next_state = (state & ~FOLLOWING) + ONE_STEP, followers = 0;
    if (own >> origin & 1) {
        if ((state & STEPS) < THREE_STEPS) {
            followers = weaker_than(strength, low, middle, high) & occupied & ~own &
                        reach[diagonal][origin];
            if (followers && state & PUSHING && ONE << (state >> LEFT_AT & 63) == target &&
                (state & DUE || action >= DIAGONAL))
                followers = 0;
            if (followers)
                next_state |= origin << LEFT_AT | strength << STRENGTH_AT;
        }
    } else if ((state & STEPS) < THREE_STEPS && action < DIAGONAL) {
        followers = pushers(origin, strength, low, middle, high, own, diagonal);
        if (followers) {
            next_state |= origin << LEFT_AT | PUSHING;
            bool pulled = state & STRENGTH && row[FOLLOWERS] >> origin & 1;
            if (!pulled || ONE << (state >> LEFT_AT & 63) != target)
                next_state |= DUE;
        }
    }
    after[BOARD] = new_low;
    after[BOARD + 1] = new_middle;
    after[BOARD + 2] = new_high;
    after[BOARD + 3] = new_silver;
    for (int word = START; word < START + 4; word++)
        after[word] = row[word];
    after[BOARD_KEY] = board_key;
    after[START_KEY] = row[START_KEY];
    after[STATE] = next_state;
    after[FOLLOWERS] = followers;
}

static inline void end_into(const u64 *row, u64 *after)
{
    for (int word = 0; word < 4; word++)
        after[BOARD + word] = after[START + word] = row[BOARD + word];
    after[BOARD_KEY] = row[BOARD_KEY];
    after[START_KEY] = stir(row[BOARD_KEY]);
    after[STATE] = (row[STATE] & ~OF_TURN) ^ MOVER;
    after[FOLLOWERS] = 0;
}

/* How many sequences of so many actions can follow, each of them played to its end. */
int64_t perft(u64 *row, int32_t *out, int64_t depth)
{
    if (depth == 0)
        return 1;
    int64_t total = generate(row, out), found = 0;
    for (int64_t number = 0; number < total; number++) {
        if (out[number] < END)
            step_into(row, out[number], row + WORDS);
        else
            end_into(row, row + WORDS);
        found += depth == 1 ? 1 : perft(row + WORDS, out + MOST_ACTIONS, depth - 1);
    }
    return found;
}

/* The same, but the last actions are only generated and counted. */
int64_t perft_in_bulk(u64 *row, int32_t *out, int64_t depth)
{
    if (depth == 0)
        return 1;
    int64_t total = generate(row, out), found = 0;
    if (depth == 1)
        return total;
    for (int64_t number = 0; number < total; number++) {
        if (out[number] < END)
            step_into(row, out[number], row + WORDS);
        else
            end_into(row, row + WORDS);
        found += perft_in_bulk(row + WORDS, out + MOST_ACTIONS, depth - 1);
    }
    return found;
}
