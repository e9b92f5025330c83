"""A tour of what the four games have in common."""

import petteia


def main() -> None:
    games = [petteia.TicTac(), petteia.Breakdown(5, 4), petteia.Reversi(6, 6), petteia.Quarto()]
    for game in games:
        print(f"{type(game).__name__}: {game.players[0]} against {game.players[1]}")
        print(f"  {game.num_actions} actions, {game.symmetries} symmetries, perft(4) = {game.perft(4):,}")

        # Play five moves. Positions and records are immutable: each move returns a new one.
        record = petteia.Record(game)
        while len(record) < 5 and not record.last.is_over:
            record = record.play(record.last.moves[len(record) % len(record.last.moves)])
        print(f"  {record}")
        print(record.last)

        # Every position can be written as one line of text and read back.
        assert type(game).from_text(record.last.text) == record.last

    try:
        petteia.Reversi().play("a1")
    except petteia.IllegalMove as error:
        print(error)


if __name__ == "__main__":
    main()
