// The board on the first page: a game of Reversi against a computer player. Without WebAssembly, or from a disk, where
// browsers load no modules, its picture stays.

const HOME = document.getElementById("live");
const BOT = "level:3";

function picture(position, last) {
  const dark = document.body.dataset.mdColorScheme === "slate";
  const holder = document.createElement("div");
  holder.style.position = "relative";
  holder.innerHTML = position.svg({ last, legal: last === null, theme: dark ? "dark" : "light" });
  return holder;
}

function say(position) {
  const [dark, light] = [1, 2].map((player) => position.cells.filter((cell) => cell === player).length);
  const tiles = `Dark ${dark}, Light ${light}. `;
  if (!position.isOver) return tiles + (position.turn === 0 ? "You are Dark: choose a square." : "Light is thinking.");
  const { winner } = position.outcome;
  return tiles + (winner === null ? "A draw." : winner === 0 ? "You have won." : "Light has won.");
}

async function main() {
  const { Bot, Record, game } = await import(new URL("../play/petteia.js", import.meta.url));
  let record = new Record(game("reversi", { width: 6, height: 6 }));
  let bot = new Bot(BOT);

  const status = document.createElement("p");
  status.className = "live-status";
  status.setAttribute("role", "status");
  const again = Object.assign(document.createElement("button"), { textContent: "New game", type: "button" });
  again.onclick = () => {
    record = new Record(game("reversi", { width: 6, height: 6 }));
    bot = new Bot(BOT);
    show();
  };
  const back = Object.assign(document.createElement("button"), { textContent: "Take back", type: "button" });
  back.onclick = () => {
    do record = record.undo();
    while (record.moves.length > 0 && record.last.turn !== 0);
    show();
  };

  function show() {
    const position = record.last;
    const holder = picture(position, position.turn === 0 ? null : (record.moves.at(-1) ?? null));
    const [left, top, width, height] = holder.querySelector("svg").getAttribute("viewBox").split(" ").map(Number);
    for (const move of position.turn === 0 ? position.moves : []) {
      const action = position.action(move);
      const cell = Object.assign(document.createElement("button"), { className: "cell", type: "button", title: move });
      cell.setAttribute("aria-label", `play ${move}`);
      const [column, row] = [action % 6, Math.floor(action / 6)];
      Object.assign(cell.style, {
        left: `${(100 * (100 * column - left)) / width}%`,
        top: `${(100 * (100 * row - top)) / height}%`,
        width: `${10000 / width}%`,
        height: `${10000 / height}%`,
      });
      cell.onclick = () => play(move);
      holder.append(cell);
    }
    status.textContent = say(position);
    back.disabled = record.moves.length === 0;
    HOME.replaceChildren(holder, status, back, again);
  }

  async function play(move) {
    record = record.play(move);
    show();
    while (record.last.turn === 1) {
      const before = record;
      const chosen = await bot.choose(before.last);
      await new Promise((resolve) => setTimeout(resolve, 400));
      // Another game may have begun meanwhile.
      if (record !== before) return;
      record = before.play(chosen.move);
      show();
    }
  }

  new MutationObserver(show).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  show();
}

main().catch((error) => console.info("the picture stays:", error));
