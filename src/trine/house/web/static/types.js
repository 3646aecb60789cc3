/**
 * What the house and the pages tell each other; scripts/page_types.py has written it.
 *
 * @typedef {object} Board The half of a scene that stays the same from turn to turn, seen from one seat.
 * @property {[number, number]} size
 * @property {Cell[]} cells
 * @property {number} seat
 * @property {ScenePlayer[]} players
 * @property {Area[]} areas
 * @property {Line[]} lines
 * @property {Piece[]} ornaments
 * @property {Label[]} labels
 * @property {Spot[]} spots
 * @property {Button[]} buttons
 * @property {Record<string, Shape[]>} figures
 *
 * @typedef {object} View The half of a scene that changes from turn to turn, as a `Scene` has it.
 * @property {string} board
 * @property {string} title
 * @property {string} alt
 * @property {string} status
 * @property {Area[]} areas
 * @property {Line[]} walls
 * @property {Mark[]} marks
 * @property {Piece[]} pieces
 * @property {Label[]} labels
 * @property {Meaning[]} legend
 * @property {string[]} targets
 *
 * @typedef {object} Theme The look of roles. A role that is missing looks like the role ``other``.
 * @property {Record<string, Paint>} paints
 * @property {Record<string, string[]>} marks
 * @property {Record<string, Shape[]>} forms
 * @property {Grain} grain
 * @property {string[]} grained
 * @property {string[]} faded
 * @property {Record<string, number>} widths
 * @property {number} thin
 * @property {number} seam
 * @property {Record<string, number>} edges
 * @property {number} pale
 * @property {number} badge
 * @property {number} stacked
 * @property {number} stack_limit
 * @property {[number, number]} count
 * @property {number} letter
 * @property {string} font
 * @property {Record<string, Paint>} night
 * @property {string[]} layers
 *
 * @typedef {object} Turn Play a whole turn.
 * @property {"turn"} t
 * @property {string} id
 * @property {number} at
 * @property {string[]} [a]
 * @property {string} [line]
 *
 * @typedef {object} Draft Judge a part of a turn, and show it to its player alone.
 * @property {"draft"} t
 * @property {string} id
 * @property {number} at
 * @property {string[]} a
 * @property {string} [line]
 *
 * @typedef {object} Condition Keep a line of conditional turns, or forget its end; an empty one forgets them all.
 * @property {"if"} t
 * @property {string} id
 * @property {number} at
 * @property {string[][]} line
 * @property {boolean} [drop]
 *
 * @typedef {object} Ahead Ask how the game would stand after turns that have not been played.
 * @property {"ahead"} t
 * @property {string} id
 * @property {number} at
 * @property {string[][]} path
 * @property {string[]} [a]
 *
 * @typedef {object} Offer Ask the others for something.
 * @property {"offer"} t
 * @property {string} id
 * @property {number} at
 * @property {string} what
 *
 * @typedef {object} Answer Agree to what another asks for, or do not.
 * @property {"answer"} t
 * @property {string} id
 * @property {string} what
 * @property {boolean} yes
 *
 * @typedef {object} Do Something that needs no more words.
 * @property {"do"} t
 * @property {string} id
 * @property {"abort" | "claim" | "claim-draw" | "rematch" | "resign" | "resume"} what
 *
 * @typedef {object} GamesWhy Ask why something cannot be done behind a draft.
 * @property {"why"} t
 * @property {string} id
 * @property {string[]} a
 * @property {string[]} picks
 * @property {string[][]} [path]
 *
 * @typedef {object} Reach Ask what one gesture from a spot can make of the own open turn.
 * @property {"reach"} t
 * @property {string} id
 * @property {number} at
 * @property {string[]} a
 * @property {string} spot
 *
 * @typedef {object} Hint Ask what the computer would play.
 * @property {"hint"} t
 * @property {string} id
 *
 * @typedef {object} Say Say something in a room of the game.
 * @property {"say"} t
 * @property {string} id
 * @property {"players" | "watchers"} room
 * @property {string} [words]
 * @property {string} [preset]
 *
 * @typedef {object} Mind Do something about a line of chat, or about whoever has said it.
 * @property {"mind"} t
 * @property {string} id
 * @property {number} number
 * @property {"block" | "report"} what
 * @property {string} [why]
 *
 * @typedef {object} GamesLook Choose how the game is seen.
 * @property {"look"} t
 * @property {number} [seat]
 * @property {boolean} [insight]
 *
 * @typedef {object} Pong The answer to a ping.
 * @property {"pong"} t
 * @property {number} n
 *
 * @typedef {object} Game A game as it stands.
 * @property {"game"} t
 * @property {number} seq
 * @property {string} stage
 * @property {Seat[]} seats
 * @property {boolean} casual
 * @property {boolean} tournament
 * @property {boolean} over
 * @property {boolean} aborted
 * @property {string} next
 * @property {number[]} rematch
 * @property {string} result
 * @property {number | null} winner
 * @property {string} turn
 * @property {number | null} mover
 * @property {boolean} one
 * @property {Clock | null} clock
 * @property {boolean} paused
 * @property {boolean} agreed_pause
 * @property {boolean} waking
 * @property {Warming | null} warming
 * @property {Offered[]} offers
 * @property {boolean} takebacks
 * @property {boolean} draws
 * @property {SetupWord[]} setup
 * @property {boolean} whole
 * @property {number[]} own
 * @property {number} side
 * @property {number[]} places
 * @property {PlayedTurn[]} turns
 * @property {number} from
 * @property {View} view
 * @property {[string, string][][]} story
 * @property {string} coach
 * @property {Choosable[]} choices
 * @property {string[]} handles
 * @property {string[]} draft
 * @property {boolean} closed
 * @property {Prepared[][]} conditions
 * @property {string[]} insight
 *
 * @typedef {object} Changes A game as it stands, for a page that was told before how it stood: what is different.
 * @property {"changes"} t
 * @property {Record<string, unknown>} game
 * @property {Record<string, unknown>} view
 * @property {Record<string, unknown[]>} runs
 * @property {PlayedTurn[]} [turns]
 * @property {number} [from]
 *
 * @typedef {object} AheadView A game as it would stand.
 * @property {"ahead"} t
 * @property {PlayedAhead[]} line
 * @property {number} mover
 * @property {boolean} over
 * @property {string[]} draft
 * @property {boolean} closed
 * @property {Choosable[]} choices
 * @property {View} view
 * @property {string} id
 *
 * @typedef {object} GamesOk It is done.
 * @property {"ok"} t
 * @property {number} [seq]
 * @property {string} [told]
 * @property {string} [id]
 *
 * @typedef {object} WhyTold The reason that was asked for.
 * @property {"why"} t
 * @property {string} why
 * @property {string} [id]
 *
 * @typedef {object} Reached The gestures that were asked for.
 * @property {"reach"} t
 * @property {Choosable[]} choices
 * @property {string} [id]
 *
 * @typedef {object} HintTold The computer's choice: the picks of each action, the reasons, and what is expected.
 * @property {"hint"} t
 * @property {string[][]} paths
 * @property {string[]} told
 * @property {TurnAhead[]} line
 * @property {string} [id]
 *
 * @typedef {object} No It is refused.
 * @property {"no"} t
 * @property {string} why
 * @property {number} [seq]
 * @property {string} [id]
 *
 * @typedef {object} Ping Asked every few seconds; the page answers at once.
 * @property {"ping"} t
 * @property {number} n
 * @property {number} now
 *
 * @typedef {object} Chat New lines, or all of them.
 * @property {"chat"} t
 * @property {Said[]} lines
 * @property {boolean} whole
 * @property {string[]} rooms
 * @property {boolean} types
 *
 * @typedef {object} Arrangements The arrangements to choose from.
 * @property {Arrangement[]} all
 *
 * @typedef {object} TurnShown A position of a game that is walked through.
 * @property {View} view
 * @property {number} done
 * @property {number} seen
 *
 * @typedef {object} AnalysisGo Look at a node.
 * @property {"go"} t
 * @property {number} node
 * @property {-1 | 0 | 1} [slowly]
 *
 * @typedef {object} Act Play actions behind a node; whole turns come into the tree.
 * @property {"act"} t
 * @property {string} id
 * @property {number} node
 * @property {string[]} a
 * @property {string} [line]
 *
 * @typedef {object} AnalysisWhy Ask why something cannot be done behind the draft.
 * @property {"why"} t
 * @property {string} id
 * @property {string[]} picks
 *
 * @typedef {object} AnalysisLook Choose how the board is seen.
 * @property {"look"} t
 * @property {number} [seat]
 * @property {boolean} [insight]
 *
 * @typedef {object} Remark Remark something on a turn.
 * @property {"note"} t
 * @property {string} id
 * @property {number} node
 * @property {string} words
 *
 * @typedef {object} Change Change the tree at a node.
 * @property {"change"} t
 * @property {string} id
 * @property {number} node
 * @property {"promote" | "remove"} what
 *
 * @typedef {object} Think Have the computer think about what is looked at, or not.
 * @property {"think"} t
 * @property {boolean} on
 * @property {number} [lines]
 *
 * @typedef {object} Explore Look up what was played from the positions that are looked at, or not.
 * @property {"explore"} t
 * @property {boolean} on
 *
 * @typedef {object} Review Have the whole game reviewed.
 * @property {"review"} t
 * @property {string} id
 *
 * @typedef {object} Edit Set a position up: begin with the one that is looked at, leave, use what is set up.
 * @property {"edit"} t
 * @property {string} id
 * @property {"begin" | "empty" | "leave" | "use"} what
 *
 * @typedef {object} Put Put a part of the box on a spot, or what stands on a spot elsewhere or off the board.
 * @property {"put"} t
 * @property {string} id
 * @property {string} to
 * @property {string} [part]
 * @property {string} [origin]
 *
 * @typedef {object} Set Choose something of a position that is no piece.
 * @property {"set"} t
 * @property {string} id
 * @property {string} name
 * @property {string} value
 *
 * @typedef {object} Tree The whole tree.
 * @property {"tree"} t
 * @property {number} version
 * @property {boolean} own
 * @property {[number, number, string, string, string, number][]} nodes
 * @property {boolean} saved
 * @property {string} fault
 *
 * @typedef {object} At The node that is looked at.
 * @property {"at"} t
 * @property {number} node
 * @property {string} place
 * @property {View} view
 * @property {Choosable[]} choices
 * @property {string[]} handles
 * @property {string[]} draft
 * @property {string} turn
 * @property {number} mover
 * @property {string[]} status
 * @property {string[]} setup
 * @property {string} note
 * @property {string} result
 * @property {string} told
 * @property {boolean} over
 * @property {string[]} insight
 *
 * @typedef {object} Thinking How far the computer has come with a node.
 * @property {"thought"} t
 * @property {"away" | "done" | "failed" | "over" | "thinking" | "waking"} state
 * @property {number} node
 * @property {Findings} [found]
 *
 * @typedef {object} Explored The turns played from a node, the most frequent first.
 * @property {"explored"} t
 * @property {number} node
 * @property {string} told
 * @property {ExploredTurn[]} [turns]
 * @property {string} [more]
 * @property {boolean} [pictured]
 *
 * @typedef {object} Reviewing How far a review has come, or why there is none.
 * @property {"reviewing"} t
 * @property {number} [done]
 * @property {number} [total]
 * @property {string} [turn]
 * @property {string} [why]
 *
 * @typedef {object} Reviewed A review.
 * @property {"reviewed"} t
 * @property {string} html
 * @property {number[]} nodes
 *
 * @typedef {object} Editing A position that is being set up.
 * @property {"edit"} t
 * @property {View} view
 * @property {BoxPart[]} parts
 * @property {Setting[]} settings
 * @property {string[]} standing
 * @property {string} refusal
 *
 * @typedef {object} AnalysisOk It is done.
 * @property {"ok"} t
 * @property {string} [why]
 * @property {string} [go]
 * @property {string} [id]
 *
 * @typedef {object} LobbyLists The lists of the lobby, as HTML.
 * @property {"lobby"} t
 * @property {string} html
 *
 * @typedef {object} WebGo A game of whoever looks has begun.
 * @property {"go"} t
 * @property {string} game
 *
 * @typedef {object} TournamentLists The part of the page that changes, as HTML.
 * @property {"tournament"} t
 * @property {string} html
 *
 * @typedef {object} LessonState The state of an attempt at a lesson.
 * @property {View} view
 * @property {Choosable[]} choices
 * @property {string[]} a
 * @property {number} open
 * @property {boolean} closed
 * @property {string} state
 * @property {string} told
 * @property {string} coach
 * @property {View | null} first
 *
 * @typedef {object} LessonsWhy The reason for a refusal.
 * @property {string} why
 *
 * @typedef {object} PuzzleState The state of an attempt at a puzzle.
 * @property {View} view
 * @property {Choosable[]} choices
 * @property {string[]} a
 * @property {number} open
 * @property {boolean} closed
 * @property {string} state
 * @property {string} told
 * @property {string} coach
 * @property {View | null} first
 * @property {string | null} rated
 *
 * @typedef {object} Solution The solution of a puzzle and what is expected to follow.
 * @property {View[]} views
 * @property {string} told
 *
 * @typedef {object} ExampleState The answer of the referee to a trial in the position of an example.
 * @property {View} view
 * @property {Choosable[]} choices
 * @property {string[]} a
 * @property {boolean} legal
 * @property {string} told
 * @property {string} mover
 *
 * @typedef {object} Cell A square or a point, by the id that notation gives it.
 * @property {string} id
 * @property {string} role
 * @property {[number, number]} at
 * @property {[number, number][]} outline
 *
 * @typedef {object} ScenePlayer An owner of pieces; the index in `Board.players` is the number in turn order.
 * @property {string} role
 * @property {string} name
 *
 * @typedef {object} Area A surface that things lie on: the board, a tray beside it.
 * @property {string} role
 * @property {[number, number][]} outline
 *
 * @typedef {object} Line A straight stretch or a chain of them: a line of the board, a wall.
 * @property {string} role
 * @property {[number, number][]} points
 * @property {number | null} owner
 * @property {string} id
 * @property {string} tooltip
 *
 * @typedef {object} Piece A piece or a stack of pieces, on a cell or beside the board.
 * @property {[number, number] | null} at
 * @property {string} figure
 * @property {string} base
 * @property {number | null} owner
 * @property {string} cell
 * @property {string} key
 * @property {string} role
 * @property {number} scale
 * @property {number} height
 * @property {string} label
 * @property {string} tooltip
 * @property {string[]} marks
 *
 * @typedef {object} Label Words at a place, centred on it.
 * @property {string} text
 * @property {[number, number]} at
 * @property {string} role
 * @property {number} size
 *
 * @typedef {object} Spot A place that can be pointed at: an upright rectangle, apart from what is drawn there.
 * @property {string} id
 * @property {[number, number]} at
 * @property {[number, number]} size
 * @property {string} label
 * @property {Line | null} preview
 *
 * @typedef {object} Button A thing that can be pointed at and has no place on the board, such as the end of a turn.
 * @property {string} id
 * @property {string} label
 * @property {boolean} declines
 *
 * @typedef {object} Shape One closed or open path of a figure.
 * @property {string} path
 * @property {string} fill
 * @property {string} stroke
 * @property {number} width
 *
 * @typedef {object} Mark A mark on a cell; `Piece.marks` is the same for a piece.
 * @property {string} role
 * @property {string} cell
 *
 * @typedef {object} Meaning The meaning of a role that appears in the scene, for a legend.
 * @property {string} role
 * @property {string} text
 *
 * @typedef {object} Paint The four paints of a material, as SVG writes colours.
 * @property {string} body
 * @property {string} shade
 * @property {string} light
 * @property {string} ink
 *
 * @typedef {object} Grain Fibres of wood: a path on a tile that continues at its edges, in hundredths of a unit.
 * @property {string} path
 * @property {[number, number]} tile
 * @property {number} width
 *
 * @typedef {object} Seat A player, as everybody sees the seat.
 * @property {string} name
 * @property {string} side
 * @property {string} kind
 * @property {string} player
 * @property {boolean} bot
 * @property {boolean} guest
 * @property {string} rating
 * @property {string} presence
 * @property {boolean} claim
 * @property {boolean} plays
 *
 * @typedef {object} Clock Each player's time at a moment; it runs down for the player to move.
 * @property {(number | null)[]} left
 * @property {number | null} running
 * @property {number} at
 * @property {number[]} [spare]
 *
 * @typedef {object} Warming The progress of the computer in making itself ready.
 * @property {number} done
 * @property {number} of
 * @property {number} left
 *
 * @typedef {object} Offered A request of a player to the others.
 * @property {string} what
 * @property {number} seat
 * @property {number[]} waiting
 *
 * @typedef {object} SetupWord A word that sets pieces up.
 * @property {string} word
 * @property {string} told
 * @property {boolean} consent
 *
 * @typedef {object} PlayedTurn A turn, and the time that it took.
 * @property {string} tag
 * @property {string} words
 * @property {number} [at]
 * @property {number} [used]
 * @property {number} [left]
 *
 * @typedef {object} Choosable A legal action, and the path by which it is pointed at.
 * @property {string} id
 * @property {string[]} [picks]
 * @property {string} [label]
 * @property {string[]} [draft]
 *
 * @typedef {object} Prepared One turn of a line of conditional turns.
 * @property {string[]} a
 * @property {string} tag
 * @property {string} words
 * @property {boolean} mine
 *
 * @typedef {object} PlayedAhead A turn that has not been played.
 * @property {string} tag
 * @property {string} words
 * @property {number} player
 *
 * @typedef {object} TurnAhead A turn that is expected: whose it is, the board before it, the picks of each action.
 * @property {string} told
 * @property {View} view
 * @property {string[][]} paths
 *
 * @typedef {object} Said A line of the talk.
 * @property {number} n
 * @property {string} room
 * @property {string} name
 * @property {boolean} own
 * @property {string} words
 *
 * @typedef {object} Arrangement An arrangement of a side's pieces.
 * @property {string} told
 * @property {string[]} a
 * @property {Piece[]} pieces
 *
 * @typedef {object} Findings The computer's findings so far.
 * @property {LineOfThought[]} lines
 * @property {string[][]} paths
 * @property {number} depth
 * @property {string[]} told
 * @property {Chance[]} chances
 *
 * @typedef {object} ExploredTurn A turn that was played in games of the archive.
 * @property {string} words
 * @property {string[]} ids
 * @property {number} games
 * @property {number | null} score
 * @property {number | null} rating
 * @property {ExploredGame[]} meetings
 *
 * @typedef {object} BoxPart Something that can be put on a board.
 * @property {string} id
 * @property {string} label
 * @property {Piece} [piece]
 *
 * @typedef {object} Setting Something of a position that is no piece: the player to move, the walls in hand.
 * @property {string} id
 * @property {string} label
 * @property {[string, string][]} values
 * @property {string} value
 *
 * @typedef {object} LineOfThought A line that the computer thinks of.
 * @property {string} score
 * @property {TurnOfLine[]} turns
 *
 * @typedef {object} Chance The chance of a player to win.
 * @property {string} name
 * @property {number} share
 *
 * @typedef {object} ExploredGame A game of the archive.
 * @property {ExploredPlayer[]} players
 * @property {string} year
 * @property {string} link
 *
 * @typedef {object} TurnOfLine A turn of a line that the computer thinks of.
 * @property {string} tag
 * @property {string} words
 * @property {string[]} ids
 *
 * @typedef {object} ExploredPlayer A player of a game of the archive.
 * @property {string} name
 * @property {number} rating
 *
 * @typedef {[number, number]} Point
 * @typedef {Turn | Draft | Condition | Ahead | Offer | Answer | Do | GamesWhy | Reach | Hint | Say | Mind | GamesLook | Pong} ToGame
 * @typedef {Game | Changes | AheadView | GamesOk | WhyTold | Reached | HintTold | No | Ping | Chat} OfGame
 * @typedef {AnalysisGo | Act | AnalysisWhy | Reach | AnalysisLook | Remark | Change | Think | Explore | Review | Edit | Put | Set | Pong} ToAnalysis
 * @typedef {Tree | At | Thinking | Explored | Reviewing | Reviewed | Editing | AnalysisOk | Reached | No | Ping} OfAnalysis
 * @typedef {LobbyLists | WebGo | Ping} OfLobby
 * @typedef {TournamentLists | WebGo | Ping} OfTournament
 * @typedef {LessonState | LessonsWhy} OfLesson
 * @typedef {PuzzleState | Solution | LessonsWhy} OfPuzzle
 * @typedef {ExampleState | LessonsWhy} OfExample
 * @typedef {AheadView | GamesOk | WhyTold | Reached | HintTold | No} AnswerOfGame
 * @typedef {AnalysisOk | Reached | No} AnswerOfAnalysis
 */
export {};
