"""A self-play match: one move ahead by random games against no thought at all."""

import random

import petteia
from petteia import Player


def thinker(position: petteia.Reversi, rng: random.Random) -> int:
    """Choose the move after which random games go best."""

    def score(action: int) -> float:
        tally = petteia.playouts(position.play(action), 50, seed=rng.getrandbits(32))
        assert position.turn is not None
        return tally.wins[position.turn] + tally.draws / 2

    return max(position.actions, key=score)


def gambler(position: petteia.Reversi, rng: random.Random) -> int:
    """Choose any move."""
    return rng.choice(position.actions)


def play(players: dict[Player, str], rng: random.Random) -> petteia.Record[petteia.Reversi]:
    """Play one game and return its record."""
    choose = {"thinker": thinker, "gambler": gambler}
    record = petteia.Record(petteia.Reversi(6, 6))
    while (turn := record.last.turn) is not None:
        record = record.play(choose[players[turn]](record.last, rng))
    return record


def main() -> None:
    rng = random.Random(2019)
    points = {"thinker": 0.0, "gambler": 0.0}
    for game in range(10):
        names = ["thinker", "gambler"] if game % 2 == 0 else ["gambler", "thinker"]
        players = dict(zip(Player, names))
        record = play(players, rng)
        assert record.outcome is not None
        winner = record.outcome.winner
        for player, name in players.items():
            points[name] += 0.5 if winner is None else float(winner == player)
        print(record)
    print(points)


if __name__ == "__main__":
    main()
