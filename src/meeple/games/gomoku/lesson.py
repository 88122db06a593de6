"""The lesson of Gomoku."""

from meeple.games.contract.lessons import Lesson, LessonStep

RULES = (
    "Two players place one stone each in turn on a free crossing; Black begins. Stones are never "
    "moved or taken off.",
    "Five stones of a colour in an unbroken row, across, down or diagonally, win. If the board is "
    "full, the game is a draw.",
    "The options know further rules: exactly five (standard), Black's forbidden moves (renju), and "
    "openings that make the game fair.",
)
LESSON = Lesson(
    RULES,
    (
        LessonStep(
            "Gomoku is played on the crossings of a board. You are Black and begin. In turn, each "
            "player places one stone. Place a stone near the middle.",
            accepted=("g7", "g8", "g9", "h7", "h8", "h9", "i7", "i8", "i9"),
            praise="From the middle a row can grow in every direction",
            refusal="At the edge a row has less room. The middle is h8",
        ),
        LessonStep(
            "Five in a row win. You have four, and both ends are free. Complete the row.",
            moves=("h8", "a1", "i8", "a3", "j8", "a5", "k8", "a7"),
            accepted=("g8", "l8"),
            praise="Five in a row: you win",
            refusal="That does not make five. Place a stone at one end of the row",
        ),
        LessonStep(
            "White has four in a row, and would win next. Block the end that is free.",
            moves=("g8", "h8", "a1", "i8", "a15", "j8", "o1", "k8"),
            accepted=("l8",),
            praise="The row of White is closed at both ends, and worth nothing now",
            refusal="White now wins at l8",
        ),
        LessonStep(
            "Three in a row with free ends are an open three. With one more stone they become an "
            "open four, whose two ends the opponent cannot block at once. Make an open four.",
            moves=("h8", "a1", "i8", "a4", "j8", "o1"),
            accepted=("g8", "k8"),
            praise="White can close one end only: you win with the next stone",
            refusal="That makes no open four: its stones must be next to each other",
        ),
        LessonStep(
            "White has an open three. If you do not answer it, White makes an open four. "
            "Defend beside the row.",
            moves=("a1", "h8", "a4", "i8", "o1", "j8"),
            accepted=("f8", "g8", "k8", "l8"),
            praise="An open three must be answered at once, unless you have four yourself",
            refusal="White makes an open four now, and wins",
        ),
        LessonStep(
            "A stone that makes two open threes at once is a fork: the opponent can answer only "
            "one of them. Find the crossing where your two pairs meet.",
            moves=("i8", "a1", "j8", "a4", "k9", "o1", "k10", "o4"),
            accepted=("k8",),
            praise="Two open threes with one stone: White can stop only one. Forks win most games",
            refusal="Follow the row i8, j8 and the column k9, k10 to the crossing of both",
        ),
    ),
)
