"""TicTac as in its course assignment: game records, line by line or as a whole."""

from ._enums import Enum
from ._petteia import TicTacMove as Move
from ._petteia import evaluate, evaluate_many, parse_move

__all__ = ["Move", "Verdict", "evaluate", "evaluate_many", "parse_move"]


class Verdict(Enum):
    """The verdict on a game record; evaluate_many returns these numbers."""

    NEW_GAME = 0
    X_TURN = 1
    O_TURN = 2
    X_WINS = 3
    O_WINS = 4
    DRAW = 5
    PARSE_ERROR = 6
    INVALID_MOVE = 7
