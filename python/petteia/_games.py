"""The games by their names: the one place in the package that lists them."""

from __future__ import annotations

from typing import Any

from ._petteia import Breakdown, Quarto, Reversi, TicTac

GAMES: dict[str, Any] = {"tictac": TicTac, "breakdown": Breakdown, "reversi": Reversi, "quarto": Quarto}
"""What makes the start of each game from its parameters."""
