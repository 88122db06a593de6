"""The lesson of Reversi."""

from meeple.games.contract.lessons import Lesson, LessonStep

SMALL = {"size": 6}
LESSON = Lesson(
    (
        "Two players place one disc each in turn; Black begins. A disc must enclose discs of the "
        "opponent in a straight line between itself and another disc of its colour.",
        "All discs enclosed by the placed disc, in every direction, are flipped to its colour. "
        "A player without such a move passes.",
        "The game ends when nobody can move. The player with more discs wins.",
    ),
    (
        LessonStep(
            "You are Black. A disc is placed so that it encloses discs of White in a straight line "
            "between itself and a disc of yours; these are flipped. Dots mark where you may play. "
            "Place a disc.",
            accepted=("*",),
            praise="The enclosed disc is yours now",
            options=SMALL,
        ),
        LessonStep(
            "A disc flips in all eight directions at once, if it encloses. Find the move that "
            "flips three discs.",
            moves=("b3", "d2", "e1", "b5"),
            accepted=("d5",),
            praise="Three discs in different directions were enclosed",
            refusal="That flips one disc. Point at the free cells beside White's discs",
            options=SMALL,
        ),
        LessonStep(
            "A disc in a corner can never be enclosed, so it is never flipped. Corners decide many "
            "games. Take the corner.",
            moves=("b3", "b2", "d5", "a3"),
            accepted=("a1",),
            praise="This disc is yours to the end, and discs beside it become safe with it",
            refusal="The corner a1 is free, and you can enclose discs from there",
            options=SMALL,
        ),
        LessonStep(
            "The cells diagonally beside the corners often give the corner to the opponent: here "
            "they are b2, e2, b5 and e5. Make a move on another cell.",
            moves=("d5", "c5", "b4", "e3"),
            accepted=("c2", "d2", "e4", "c6", "d6"),
            praise="Good: the corners stay out of reach for White",
            refusal="That cell lies diagonally beside a corner. Choose another one",
            options=SMALL,
        ),
        LessonStep(
            "Who can enclose nothing has to pass, and the other moves again. Find the move after "
            "which White must pass.",
            moves=("a2", "a3", "a4", "c1", "d1", "a1"),
            accepted=("b1",),
            praise="White has no move and passes: it is your turn again. To have more moves than "
            "the opponent matters more in the middle of a game than to have more discs",
            refusal="White can move after that. Try the first row",
            options={"size": 4},
        ),
    ),
)
