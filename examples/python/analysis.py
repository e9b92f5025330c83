"""An analysis as in a notebook, plotted to games.png: first moves in TicTac, legal moves in Reversi.

It needs numpy and matplotlib.
"""

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
import petteia

# How good is each first move of TicTac if both sides then play at random?
start = petteia.TicTac()
value = np.zeros((3, 3))
for action in start.actions:
    tally = petteia.playouts(start.play(action), 20_000, seed=action)
    value.flat[action] = (tally.wins[0] + tally.draws / 2) / tally.games
print(value.round(3))

# How does the number of legal moves change over a game of Reversi?
rng = np.random.default_rng(1)
widths = np.full((200, 64), np.nan)
for row in widths:
    position = petteia.Reversi()
    for ply in range(64):
        if position.is_over:
            break
        row[ply] = len(position.actions)
        position = position.play(rng.choice(position.actions))

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
image = left.imshow(value, cmap="viridis")
left.set_xticks(range(3), ["1", "2", "3"])
left.set_yticks(range(3), ["A", "B", "C"])
left.set_title("TicTac: points of the first move")
figure.colorbar(image, ax=left)
right.plot(np.nanmean(widths, axis=0)[:60])
right.set_title("Reversi: legal moves by ply")
right.set_xlabel("ply")
figure.savefig("games.png")
print("games.png")
