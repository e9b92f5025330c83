"""What an evaluator is: the function that search and self-play ask about many positions at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Evaluator(Protocol):
    """A function that judges many positions at once, such as a neural network; see petteia.mcts."""

    def __call__(self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], /) -> tuple[Any, Any]:
        """Return the priors of all actions and the values for the players to move, as arrays."""
        ...


Search = tuple[float, float | None, float]
"""How an evaluator is used: exploration, noise_alpha and noise_fraction."""


def checked(evaluator: Any) -> Evaluator:
    """Return an evaluator, or raise TypeError if it cannot be called."""
    if not callable(evaluator):
        raise TypeError(
            f"expected evaluator as a function of observations and masks, not {type(evaluator).__name__}"
        )
    return cast("Evaluator", evaluator)


def unused(**options: tuple[object, object]) -> None:
    """Raise ValueError for an option that is not the default, where there is no evaluator to use it for."""
    for name, (given, default) in options.items():
        if given != default:
            raise ValueError(
                f"invalid {name} {given!r}: expected {default!r} without an evaluator of your own"
            )


def name_of(evaluator: Any) -> str:
    """Return what tells an evaluator from others: its attribute name, or the name it is defined by."""
    name = getattr(evaluator, "name", None)
    if isinstance(name, str):
        return name
    defined = evaluator if hasattr(evaluator, "__qualname__") else type(evaluator)
    return f"{defined.__module__}.{defined.__qualname__}"


Evaluator.__module__ = "petteia"
