"""TicTac, Breakdown, Reversi and Quarto: four classic board games as one fast, exact library.

>>> game = petteia.Reversi(6, 6)
>>> for square in ["c3", "d3", "d4", "c4"]:
...     game = game.play(square)
>>> game.moves
['d2', 'e3', 'b4', 'c5']

The modules petteia.tictac, petteia.breakdown, petteia.reversi and petteia.quarto have the APIs of the course
assignments that the games come from.
"""

import collections.abc as _abc

from . import bots, breakdown, quarto, reversi, tictac
from ._analysis import Analysis, Estimate, Line, analyse, evaluate, explain
from ._clibrary import get_include, get_library_dir
from ._counting import perft, playouts
from ._evaluator import Evaluator
from ._games import GAMES, game
from ._learning import SelfplayArrays, selfplay_arrays
from ._petteia import (
    Breakdown,
    IllegalMove,
    InvalidMove,
    Outcome,
    ParseError,
    Quarto,
    Record,
    Reversi,
    Tally,
    TicTac,
    VectorEnv,
    __version__,
)
from ._position import Player, Position
from ._search import Solution, Tree, mcts, solve
from ._selfplay import selfplay
from ._table import SolvedTable, solve_table
from ._types import AnyGame, GameLike, GameName, Progress
from .bots import Bot, BotLike, match

__all__ = [
    "GAMES",
    "Analysis",
    "AnyGame",
    "Bot",
    "BotLike",
    "Breakdown",
    "Estimate",
    "Evaluator",
    "GameLike",
    "GameName",
    "IllegalMove",
    "InvalidMove",
    "Line",
    "Outcome",
    "ParseError",
    "Player",
    "Position",
    "Progress",
    "Quarto",
    "Record",
    "Reversi",
    "SelfplayArrays",
    "Solution",
    "SolvedTable",
    "Tally",
    "TicTac",
    "Tree",
    "VectorEnv",
    "__version__",
    "analyse",
    "bots",
    "breakdown",
    "evaluate",
    "explain",
    "game",
    "get_include",
    "get_library_dir",
    "match",
    "mcts",
    "perft",
    "playouts",
    "quarto",
    "reversi",
    "selfplay",
    "selfplay_arrays",
    "solve",
    "solve_table",
    "tictac",
]

_abc.Sequence.register(Record)  # pyright: ignore[reportAttributeAccessIssue]
