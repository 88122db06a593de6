"""The lesson of Hex."""

from meeple.games.contract.lessons import Lesson, LessonStep

RULES = (
    "Two players place one stone each in turn on a free cell of the diamond. Stones are never "
    "moved or taken off.",
    "Player 1 wins with a chain of stones from the top to the bottom, player 2 with one from the "
    "left to the right. One of the two always succeeds: there is no draw.",
    "With the swap rule, the second player may take over the first stone instead of a move.",
)
LESSON = Lesson(
    RULES,
    (
        LessonStep(
            "Hex is played on a diamond of hexagons. You are player 1, and your sides are the top "
            "and the bottom. In turn, each player places one stone on a free cell. "
            "Place a stone anywhere.",
            accepted=("*",),
            praise="Now it is the opponent's turn. Stones stay where they are to the end",
            options={"size": 5},
        ),
        LessonStep(
            "You win as soon as your stones join the top and the bottom. Your chain is one stone "
            "short. Complete it.",
            moves=("c1", "a1", "c2", "a2", "c3", "a3"),
            accepted=("c4", "b4"),
            praise="Your stones join your sides: you win. A cell has six neighbours, so two cells "
            "of the last row completed the chain",
            refusal="That stone does not join your chain to the bottom. Try a cell below c3",
            options={"size": 4},
        ),
        LessonStep(
            "The opponent joins left and right, and needs one more stone. Stop it: place your "
            "stone where it would win.",
            moves=("d2", "a3", "d1", "b3", "a1", "c3"),
            accepted=("d3",),
            praise="The way to the right is closed. To block is the same as to join: if one player "
            "is cut off, the other one is connected",
            refusal="The opponent wins at d3 now. Look for the free cell to the right of c3",
            options={"size": 4},
        ),
        LessonStep(
            "Two of your stones with two free cells between them form a bridge: if the opponent "
            "takes one of these cells, you take the other. The opponent has just played c3. "
            "Keep your stones c2 and b4 connected.",
            moves=("c2", "e1", "b4", "c3"),
            accepted=("b3",),
            praise="The bridge holds. Bridges reach two rows with one stone, and cannot be cut",
            refusal="Then b3 would cut c2 from b4. Take the other cell of the bridge",
            options={"size": 5},
        ),
        LessonStep(
            "A first stone in the centre is worth a lot. Therefore the swap rule lets the second "
            "player take it over. You are player 2, and the first stone is in the centre. "
            "Take it over: choose swap.",
            moves=("c3",),
            accepted=("swap",),
            praise="The stone is yours now, mirrored to your sides. So the first player had better "
            "choose a stone that is neither strong nor weak",
            refusal="That is allowed, but the stone in the centre is better. Choose swap",
            options={"size": 5, "swap": True},
        ),
        LessonStep(
            "Without the swap rule, the centre is the best beginning: from there bridges lead to "
            "both of your sides. Play it.",
            accepted=("c3",),
            praise="You know all the rules of Hex",
            refusal="That is not the centre. It is c3",
            options={"size": 5},
        ),
    ),
)
