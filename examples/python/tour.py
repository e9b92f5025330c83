"""A tour: the four games, what they have in common, and what each says about itself."""

import petteia


def main() -> None:
    games = [petteia.TicTac(), petteia.Breakdown(5, 4), petteia.Reversi(6, 6), petteia.Quarto()]
    for game in games:
        print(f"{type(game).__name__}: {game.players[0]} against {game.players[1]}")
        print(f"  {game.num_actions} actions, {game.symmetries} symmetries, perft(4) = {game.perft(4):,}")

        # Play five moves; a position or a record never changes, a move makes a new one.
        record = petteia.Record(game)
        while len(record) < 5 and not record.last.is_over:
            record = record.play(record.last.moves[len(record) % len(record.last.moves)])
        print(f"  {record}")
        print(record.last)

        # Every position is one line of text, and back.
        assert type(game).from_text(record.last.text) == record.last

    try:
        petteia.Reversi().play("a1")
    except petteia.IllegalMove as error:
        print(error)


if __name__ == "__main__":
    main()
