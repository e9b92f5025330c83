// A board on the page: one SVG with a picture beneath and a grid of focusable cells on top.
//
// The cells stay during a game, so focus and screen readers keep their place; the picture is redrawn for every
// position.

import { CELL, GAMES, HAND } from "./games.js";

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 52;

/** The cells of larger boards are labelled after their picture is shown. */
const LABELLED = 400;

const STAR =
  '<path class="star" transform="scale(.62)" d="M0 -46l11 30h32l-26 20l10 31l-27 -19l-27 19l10 -31l-26 -20h32z"/>';

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const middle = ([row, column]) => [column * CELL + CELL / 2, row * CELL + CELL / 2];
const put = ([x, y], markup, more = "") => `<g transform="translate(${x} ${y})"${more}>${markup}</g>`;

function element(name, attributes = {}, parent = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

/** Returns the pieces that fell, with their old and new rows: those of a column keep their order. */
function falls(before, after) {
  const moved = [];
  for (let column = 0; column < after[0].length; column++) {
    const rows = (cells) => cells.map((row, i) => (row[column] ? i : -1)).filter((i) => i >= 0);
    const [from, to] = [rows(before), rows(after)];
    if (from.length !== to.length) continue;
    to.forEach((row, i) => row !== from[i] && moved.push({ column, from: from[i], to: row }));
  }
  return moved;
}

export class Board {
  /** Makes the board of a grid; `play` is called with the move of a cell that is clicked or entered, and the cell. */
  constructor(grid, play) {
    this.grid = grid;
    this.play = play;
    this.stance = "|";
    this.view = null;
    this.pointed = null;
    this.build();
    this.listen();
  }

  build() {
    const { grid } = this;
    const [x, y, width, height] = grid.box;
    // Room for labels on the left and above, and for the board's edge on the right and below.
    const [room, edge] = [grid.columnNames.length ? MARGIN : 14, grid.stands ? 30 : 14];
    const view = [x - room, y - room, width + room + edge, height + room + edge];
    // In Chromium, an SVG that listens to focus is a tab stop, unless it has this tabindex.
    this.svg = element("svg", { viewBox: view.join(" "), class: `board ${grid.id}`, tabindex: -1 });
    this.svg.style.setProperty("--shape", view[2] / view[3]);
    this.svg.style.minWidth = `${Math.round(view[2] / CELL * 32)}px`;
    if (grid.widest) this.svg.style.maxWidth = grid.widest;
    this.picture = element("g", { "aria-hidden": "true" }, this.svg);
    this.base = element("g", {}, this.picture);
    this.layers = element("g", {}, this.picture);
    this.previewed = element("g", { class: "preview" }, this.picture);
    const table = element("g", { role: "grid", "aria-label": grid.label }, this.svg);
    let row = null;
    this.cells = grid.cells.map((cell, i) => {
      if (!row || cell.row !== grid.cells[i - 1].row) row = element("g", { role: "row" }, table);
      const shape = { x: cell.x, y: cell.y, width: cell.width, height: cell.height, rx: cell.kind ? 14 : 8 };
      const node = element("g", { role: "gridcell", tabindex: -1, class: "cell" }, row);
      element("rect", { ...shape, class: "hit" }, node);
      const { x: left, y: top, width: wide, height: high, rx } = shape;
      element("rect", { x: left + 5, y: top + 5, width: wide - 10, height: high - 10, rx, class: "ring" }, node);
      node.dataset.move = cell.move ?? "";
      return { ...cell, node };
    });
    this.focused = this.cells[0];
    this.focused.node.setAttribute("tabindex", 0);
    this.ghost = element("g", { class: "ghost", "aria-hidden": "true" }, this.svg);
  }

  listen() {
    const cellOf = (event) => this.cells.find((cell) => cell.node === event.target.closest?.(".cell"));
    this.svg.addEventListener("pointermove", (event) => {
      const cell = event.pointerType === "touch" ? null : cellOf(event);
      if (cell !== this.pointed) {
        this.pointed = cell;
        this.preview(cell);
      }
      this.follow(event);
    });
    this.svg.addEventListener("pointerleave", () => {
      this.pointed = null;
      this.preview(null);
      this.ghost.replaceChildren();
    });
    this.svg.addEventListener("click", (event) => {
      const cell = cellOf(event);
      if (!cell) return;
      this.focus(cell, document.activeElement !== document.body && this.svg.contains(document.activeElement));
      this.choose(cell);
    });
    this.svg.addEventListener("focusin", (event) => this.preview(cellOf(event)));
    this.svg.addEventListener("focusout", () => this.preview(this.pointed));
    this.svg.addEventListener("keydown", (event) => this.press(event));
  }

  press(event) {
    const { row, column } = this.focused;
    const jumps = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      Home: [row, 0], End: [row, this.grid.columns - 1], PageUp: [0, column], PageDown: [Infinity, column],
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in jumps) this.focus(this.nearest(...jumps[event.key]), true);
    else if (event.key === "Enter" || event.key === " ") this.choose(this.focused);
    else if (event.key === "Escape") this.preview(null);
    else if (event.key === "r" && this.grid.stands) this.turn(this.stance === "|" ? "-" : "|");
    else return;
    event.preventDefault();
  }

  /** Returns the cell at a row and column, or the nearest one. */
  nearest(row, column) {
    const last = this.cells.at(-1).row;
    const inRow = this.cells.filter((cell) => cell.row === Math.max(0, Math.min(row, last)));
    const [first, end] = [inRow[0].column, inRow.at(-1).column];
    return inRow.find((cell) => cell.column === Math.max(first, Math.min(column, end)));
  }

  focus(cell, really) {
    this.focused.node.setAttribute("tabindex", -1);
    this.focused = cell;
    cell.node.setAttribute("tabindex", 0);
    if (really) cell.node.focus();
  }

  /** Chooses the upright or the lying stick for clicks on the board. */
  turn(stance) {
    this.stance = stance;
    this.label();
    this.preview(this.pointed ?? this.focused);
  }

  moveOf(cell) {
    return cell.move ?? this.stance + cell.name;
  }

  choose(cell) {
    if (this.grid.stands && cell.kind && cell.move !== "!") this.stance = cell.move[0];
    this.preview(null);
    this.ghost.replaceChildren();
    this.play(this.moveOf(cell), cell);
  }

  /** Shows a position. With `person`, the legal moves can be played; with `moved`, the last move is animated. */
  show(view, { person, moved }) {
    this.view = view;
    this.game = GAMES[view.game];
    this.person = person;
    this.legal = new Map(view.legal.map((legal) => [legal.move, legal]));
    this.hints = new Set();
    // Only a tray changes.
    if (this.grid.pool || !this.base.hasChildNodes()) this.drawBase();
    this.drawPieces();
    this.labelled = false;
    if (this.cells.length <= LABELLED) this.label();
    this.preview(this.pointed ?? (this.svg.contains(document.activeElement) ? this.focused : null));
    if (moved && !still()) this.animate();
  }

  /** Marks the best moves. */
  hint(moves) {
    this.hints = new Set(moves);
    this.layers.querySelector(".legal").innerHTML = this.person ? this.signs() : "";
    this.label();
    this.preview(this.pointed ?? (this.svg.contains(document.activeElement) ? this.focused : null));
  }

  drawBase() {
    const { rows, columns, columnNames, rowNames, stands } = this.grid;
    const [width, height] = [columns * CELL, rows * CELL];
    const lines = [
      ...Array.from({ length: rows - 1 }, (_, i) => `M-7 ${(i + 1) * CELL}h${width + 14}`),
      ...Array.from({ length: columns - 1 }, (_, i) => `M${(i + 1) * CELL} -7v${height + 14}`),
    ].join("");
    const labels = [
      ...columnNames.map((name, i) => `<text x="${i * CELL + CELL / 2}" y="-22">${name}</text>`),
      ...rowNames.map((name, i) => `<text x="${-32}" y="${i * CELL + CELL / 2 + 10}">${name}</text>`),
    ].join("");
    // A larger picture is scaled down more: this keeps letters at about the same size on the screen.
    const size = Math.min(42, 0.032 * Math.max(...this.grid.box.slice(2)));
    const foot = `<rect x="-26" y="${height + 6}" width="${width + 52}" height="18" rx="8" fill="#7a4e2a"/>`;
    this.base.innerHTML =
      `<rect x="-10" y="-4" width="${width + 20}" height="${height + 16}" rx="16" class="shade"/>` +
      (stands ? foot : "") +
      this.plate(-8, -8, width + 16, height + 16) +
      `<path d="${lines}" class="lines"/><g class="names" font-size="${size}">${labels}</g>` +
      (this.grid.pool ? this.tray() : "");
  }

  plate(x, y, width, height) {
    const shape = `x="${x}" y="${y}" width="${width}" height="${height}" rx="14"`;
    return `<rect ${shape} fill="${this.game.board}"/><rect ${shape} fill="url(#sheen)" class="sheen"/>`;
  }

  /** Draws the tray with the piece in hand. */
  tray() {
    const { view } = this;
    const piece = view.hand === null ? "" : put([0, 0], this.game.piece(view, view.hand));
    const words = view.over ? "" : view.hand === null ? "choose from the pool" : "to be placed";
    const wide = this.grid.columns * CELL;
    return this.plate(-8, -HAND - 24, wide + 16, HAND) +
      put([wide / 2 - 140, -HAND / 2 - 24], piece ? `<g class="piece">${piece}</g>` : "") +
      `<text class="tray" x="${wide / 2 + (piece ? 50 : 0)}" y="${-HAND / 2 - 13}">${words}</text>`;
  }

  pieceAt(cell) {
    if (this.grid.pool) return this.game.pooled(this.view, cell);
    return this.view.cells[cell.at[0]][cell.at[1]];
  }

  drawPieces() {
    const { view, game, grid } = this;
    const winning = new Set(view.winning.map(String));
    const changed = new Set(grid.pool ? [] : this.changes().map(String));
    const won = !grid.pool && view.over && view.winner !== null;
    const parts = { win: [], pieces: [], marks: [] };
    for (const cell of this.cells) {
      if (!cell.at) continue;
      const [key, value] = [String(cell.at), this.pieceAt(cell)];
      const markup = game.piece(view, value);
      const lit = !grid.pool && winning.has(key);
      if (lit) parts.win.push(put(middle(cell.at), '<rect x="-46" y="-46" width="92" height="92" rx="10"/>'));
      if (markup) {
        const lost = won && !lit && (game.shared || value !== view.winner + 1) ? " lost" : "";
        parts.pieces.push(put(middle(cell.at), `<g class="piece${lost}" data-at="${key}">${markup}</g>`));
      }
      if (changed.has(key) && !lit) parts.marks.push(put(middle(cell.at), this.mark(cell)));
    }
    const [light, dark] = [view.turn === 1 || game.shared, view.turn === 0];
    const slots = this.cells.filter((cell) => cell.kind).map((cell) => this.slot(cell));
    this.layers.innerHTML =
      `<g class="win">${parts.win.join("")}</g>${slots.join("")}${parts.pieces.join("")}` +
      `<g class="last">${parts.marks.join("")}</g>` +
      `<g class="legal ${light ? "light" : dark ? "dark" : ""}">${this.person ? this.signs() : ""}</g>`;
  }

  /** Draws the mark of a cell that the last move changed: a dot on flipped tiles and on sticks, else corners. */
  mark({ at: [row, column] }) {
    const { before, cells } = this.view;
    const value = cells[row][column];
    if (this.grid.stands && !value) return "";
    if (this.grid.stands || before[row][column] > 0) {
      return `<circle class="changed" r="8" fill="${value === 1 ? "#fffdf6" : "#15181b"}"/>`;
    }
    return '<path d="M-44 -29v-15h15M29 -44h15v15M44 29v15h-15M-29 44h-15v-15"/>';
  }

  /** Returns the cells that the last move changed. */
  changes() {
    const { before, cells, ply } = this.view;
    const changed = [];
    if (!ply) return changed;
    cells.forEach((row, r) => row.forEach((value, c) => value !== before[r][c] && changed.push([r, c])));
    return changed;
  }

  /** Draws the signs of legal moves, and the stars of those that a hint names. */
  signs() {
    const { cells, legal, hints, grid } = this;
    return cells.filter((cell) => cell.move && legal.has(cell.move)).map((cell) => {
      const at = [cell.x + cell.width / 2, cell.y + cell.height / 2];
      const star = hints.has(cell.move) ? put(at, STAR) : "";
      if (cell.kind) return star;
      const sign = grid.pool ? '<rect x="-20" y="41" width="40" height="6" rx="3"/>' : '<circle r="11"/>';
      return star + put(at, sign, ` data-sign="${cell.move}"`);
    }).join("");
  }

  /** Draws a slot above the board with the mover's stick in it, or the breakdown bar. */
  slot(cell) {
    const legal = this.person && this.legal.has(cell.move);
    const at = [cell.x + cell.width / 2, cell.y + cell.height / 2];
    const stick = `fill="url(#${this.view.turn ? "light" : "dark"}-block)"`;
    const signs = {
      upright: `<rect x="-10" y="-27" width="20" height="54" rx="5" ${stick}/>`,
      lying: `<rect x="-30" y="-10" width="60" height="20" rx="5" ${stick}/>`,
      bang: `<text y="12" font-size="${cell.width > 2000 ? 56 : 34}">! break down</text>`,
    };
    const face = `x="${cell.x}" y="${cell.y}" width="${cell.width}" height="${cell.height}" rx="14"`;
    return `<g class="slot ${cell.kind}${legal ? "" : " shut"}">` +
      `<rect ${face} fill="${this.game.board}" class="face"/>` +
      `<rect ${face} fill="url(#sheen)"/>${legal || cell.kind === "bang" ? put(at, signs[cell.kind]) : ""}</g>`;
  }

  /** Does what can wait until the picture is on the screen. */
  settle() {
    if (!this.labelled) this.label();
  }

  /** Labels every cell with what it is and what a move there would do. */
  label() {
    const { view, game, grid } = this;
    this.labelled = true;
    for (const cell of this.cells) {
      const legal = this.person && this.legal.get(this.moveOf(cell));
      const words = game.describe(view, cell, grid);
      const stick = cell.move ? "" : `${this.stance === "|" ? "upright" : "lying"} stick `;
      if (legal) words.push(stick + game.would(view, legal));
      else if (cell.kind) words.push("not possible now");
      if (this.hints.has(cell.move)) words.push("best move");
      const label = words.join(", ");
      if (label !== cell.label) cell.node.setAttribute("aria-label", label);
      if (Boolean(legal) !== cell.playable) cell.node.classList.toggle("playable", Boolean(legal));
      [cell.label, cell.playable] = [label, Boolean(legal)];
    }
  }

  /** Shows what a move on a cell would do; without a legal move, clears the preview. */
  preview(cell) {
    const { view, game } = this;
    const legal = view && this.person && cell && this.legal.get(this.moveOf(cell));
    this.svg.classList.toggle("previewing", Boolean(legal));
    this.svg.classList.toggle("breaking", legal?.move === "!");
    for (const sign of this.layers.querySelectorAll("[data-sign]")) {
      sign.classList.toggle("hidden", Boolean(legal) && sign.dataset.sign === legal.move);
    }
    if (!legal) {
      this.previewed.replaceChildren();
      return;
    }
    const wins = '<rect class="would-win" x="-46" y="-46" width="92" height="92" rx="10"/>';
    const square = '<rect class="gain" x="-48" y="-48" width="96" height="96" rx="8"/>';
    const parts = legal.wins.map((at) => put(middle(at), wins));
    if (legal.move === "!") {
      const after = view.cells.map((row) => [...row]);
      for (const [row, column, value] of legal.changes) after[row][column] = value;
      const moved = falls(view.cells, after);
      const gone = `<rect class="gone" x="-45" y="-45" width="90" height="90" rx="11" fill="${game.board}"/>`;
      parts.push(...moved.map(({ column, from }) => put(middle([from, column]), gone)));
      for (const { column, from, to } of moved) {
        const [[x, y], [, down]] = [middle([from, column]), middle([to, column])];
        parts.push(put([x, down], `<g class="coming">${game.piece(view, after[to][column])}</g>`));
        parts.push(`<path class="fall" d="M${x} ${y}V${down}m-9 -9l9 9l9 -9"/>`);
      }
    } else {
      for (const [row, column, value] of legal.changes) {
        const flips = game.flips && view.cells[row][column];
        const how = flips ? 'class="flips" transform="scale(.62)"' : 'class="coming"';
        parts.push(put(middle([row, column]), `${square}<g ${how}>${game.piece(view, value)}</g>`));
      }
      if (!legal.changes.length) parts.push(put([cell.x + CELL / 2, cell.y + CELL / 2], square));
    }
    this.previewed.innerHTML = parts.join("");
  }

  /** Makes the mover's piece follow the pointer, except on cells where the preview shows it. */
  follow(event) {
    const { view, game } = this;
    const shown = view && this.person && !view.over && event.pointerType !== "touch" && !this.grid.pool;
    if (!shown || this.svg.classList.contains("previewing")) {
      this.ghost.replaceChildren();
      return;
    }
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    this.ghost.innerHTML = `<g transform="scale(.5)">${game.ghost(view)}</g>`;
    this.ghost.setAttribute("transform", `translate(${at.x + 26} ${at.y + 30})`);
  }

  animate() {
    const { view } = this;
    if (this.grid.pool || !view.ply) return;
    const piece = (row, column) => this.layers.querySelector(`[data-at="${row},${column}"]`);
    const timing = { duration: 260, easing: "cubic-bezier(.3,1.3,.5,1)" };
    if (this.grid.stands) {
      const drops = view.last === "!" ? falls(view.before, view.cells)
        : this.changes().map(([to, column]) => ({ column, to, from: -2 }));
      const top = Math.min(...drops.map(({ to }) => to));
      for (const { column, from, to } of drops) {
        const height = (view.last === "!" ? to - from : top + 2) * CELL;
        const fall = [{ transform: `translateY(${-height}px)` }, { transform: "none" }];
        const duration = 140 + 60 * Math.sqrt(height / CELL);
        piece(to, column)?.animate(fall, { duration, easing: "cubic-bezier(.5,0,.9,.6)" });
      }
      return;
    }
    view.cells.forEach((row, r) => row.forEach((value, c) => {
      const was = view.before[r][c];
      const node = was !== value && piece(r, c);
      if (!node) return;
      if (this.game.flips && was) {
        const old = element("g", {}, node.parentNode);
        old.innerHTML = this.game.piece(view, was);
        const [flat, thin] = [{ transform: "none" }, { transform: "scaleX(0)" }];
        node.animate([thin, flat], { duration: 130, delay: 130, easing: "ease-out", fill: "backwards" });
        const turned = old.animate([flat, thin], { duration: 130, easing: "ease-in" });
        turned.finished.then(() => old.remove(), () => old.remove());
      } else node.animate([{ transform: "scale(.3)", opacity: 0 }, { transform: "none", opacity: 1 }], timing);
    }));
  }
}
