"""What an evaluator is: the function that search and self-play ask about many positions at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, SupportsIndex, cast

from . import _petteia

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Evaluator(Protocol):
    """A function that judges many positions at once, such as a neural network; see petteia.mcts."""

    def __call__(self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], /) -> tuple[Any, Any]:
        """Return the priors of all actions and the values for the players to move, as arrays."""
        ...


class Search(NamedTuple):
    """How an evaluator is used."""

    simulations: int
    exploration: float
    noise_alpha: float | None
    noise_fraction: float
    temperature: float


def search_of(
    simulations: SupportsIndex,
    exploration: float,
    noise_alpha: float | None,
    noise_fraction: float,
    temperature: float,
) -> Search:
    """Return how an evaluator is used, or raise an error that names what is wrong."""
    return Search(
        *_petteia.search_options(simulations, exploration, noise_alpha, noise_fraction, temperature)
    )


def checked(evaluator: Any) -> Evaluator:
    """Return an evaluator, or raise TypeError if it cannot be one."""
    if not callable(evaluator) or isinstance(evaluator, type):
        given = f"the class {evaluator.__name__}" if callable(evaluator) else type(evaluator).__name__
        raise TypeError(f"expected evaluator as a function of observations and masks, not {given}")
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
