"""A match: your own bot, which looks one move ahead with random games, against two of petteia's."""

import petteia
from petteia import bots


class Thinker:
    """Plays the move that scores best in random games."""

    def choose(self, position: petteia.Reversi) -> str:
        """Return the move."""

        def score(move: str) -> float:
            tally = petteia.playouts(position.play(move), 50)
            assert position.turn is not None
            return tally.wins[position.turn] + tally.draws / 2

        return max(position.moves, key=score)

    def __repr__(self) -> str:
        return "Thinker"


def main() -> None:
    for opponent in (bots.Random(), bots.Mcts(simulations=500)):
        print(petteia.match(Thinker(), opponent, "reversi", games=20, width=6, height=6), end="\n\n")


if __name__ == "__main__":
    main()
