// The page's controller. All it knows of a game is what is shown of it (`view`) and who plays (`seats`). Both are in the
// URL, so reloading and sharing lose nothing.

import { Board } from "./board.js";
import { COMPUTERS } from "./computers.js";
import { advice, GAMES, happened, result, share, standing, worth } from "./games.js";
import { Thinker } from "./thinker.js";

const $ = (id) => document.getElementById(id);
const PERSON = "person";
// The game that the page starts with: the brand links to it.
const HOME = document.querySelector(".brand").hash.slice(1);
// A move is on the screen for so long before a computer replies, in milliseconds.
const PAUSE = 420;

// The module with the games, once it is loaded: view.js.
let engine = null;
let view = null;
let seats = [PERSON, PERSON];
let boards = [];
let later = 0;
// Whether the evaluation bar is wanted, and a hint for what is shown.
let weighing = false;
let hinting = false;
// What is known of the value of what is shown, and whether there is nothing more to find out.
let evaluation = null;
let settled = false;
// Those who think for the computers, and for hints and the bar.
const player = new Thinker();
const adviser = new Thinker();

// The fragment of the URL: #record&at=ply&play=seat,seat&bar=on, with _ for the spaces of the record. What a record with a
// first position or headers may contain besides is escaped: _ once, % and & twice, since the record is decoded after the
// parts are told apart.

function address(record, ply, length) {
  const escaped = record.replace(/[%&]/g, (sign) => encodeURIComponent(encodeURIComponent(sign)));
  const parts = [escaped.replaceAll("_", "%5F").replaceAll(" ", "_")];
  if (ply < length) parts.push(`at=${ply}`);
  if (seats.some((seat) => seat !== PERSON)) parts.push(`play=${seats.join(",")}`);
  if (weighing) parts.push("bar=on");
  return `#${parts.join("&")}`;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    // The page writes no stray %; what is wrong with it is told when it is read.
    return text;
  }
}

function readAddress() {
  const [name, ...rest] = decoded(location.hash.slice(1).replaceAll("_", " ")).split("&");
  const more = Object.fromEntries(rest.map((part) => part.split("=", 2)));
  const game = name || HOME;
  const record = Object.hasOwn(engine.declared, game) ? start(game) : decoded(game);
  const ply = /^\d{1,6}$/.test(more.at ?? "") ? Number(more.at) : null;
  return { record, ply, play: more.play?.split(","), bar: more.bar === "on" };
}

/** Returns the record of a new game, by default with the parameters of its first preset. */
function start(game, parameters = engine.declared[game].presets[0].values) {
  return `${[game, ...parameters].join(" ")}:`;
}

/** Returns what `make` does, or null if it is refused; the reason goes to `refused`. */
function attempt(make, refused = complain) {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof engine.PetteiaError)) throw error;
    refused(error.message);
    return null;
  }
}

/** Shows the game of a record at a ply, the last one for null, and returns whether it could be read. */
function load(record, ply = null, { push = false, refused = complain } = {}) {
  const line = attempt(() => {
    const line = engine.Line.parse(record);
    if (ply > line.moves.length) {
      throw new engine.PetteiaError(`invalid ply ${ply}: expected 0 to ${line.moves.length}`);
    }
    return line;
  }, refused);
  if (line) show(line, ply ?? line.moves.length, { push });
  return line !== null;
}

function complain(message) {
  $("notice").textContent = message;
}

// The display.

const shape = (some) => `${some.game} ${some.parameters.join(" ")}`;

function show(line, ply, { moved = false, push = false } = {}) {
  const before = view && shape(view);
  // Another game may have the same moves by other players.
  if (view?.line.head !== line.head) $("moves").replaceChildren();
  const held = document.activeElement?.closest?.("#boards");
  clearTimeout(later);
  player.stop();
  adviser.stop();
  view = line.at(ply);
  [hinting, evaluation, settled] = [false, null, false];
  seats = seats.map((seat) => (Object.hasOwn(COMPUTERS, seat) ? seat : PERSON));
  const game = GAMES[view.game];
  if (before !== shape(view)) {
    const { title, about } = engine.declared[view.game];
    boards = game.layout(view).map((grid) => new Board(grid, chosen));
    $("boards").replaceChildren(...boards.map((board) => board.svg));
    $("boards").className = view.game;
    $("boards").classList.toggle("stacked", boards.length > 1);
    $("title").textContent = title;
    $("tagline").textContent = about;
    document.title = `${title} · petteia`;
    for (const link of $("games").children) {
      if (link.hash === `#${view.game}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }
  for (const board of boards) board.show(view, { person: isPerson(), moved });
  // If there is a pool, keyboard focus moves between it and the board with every turn.
  if (held && boards.length > 1 && isPerson()) boards[view.hand === null ? 1 : 0].focused.node.focus();
  $("notice").textContent = "";
  $("standing").textContent = standing(view);
  $("happened").textContent = happened(view);
  $("broken").textContent = "";
  $("record").value = view.record;
  showPlayers(game);
  showMoves(game);
  $("undo").disabled = turnBefore() === null;
  $("redo").disabled = turnAfter() === null;
  $("hint").disabled = view.over;
  $("resume").hidden = !(waiting() && view.ply < view.moves.length);
  if (push) writeAddress(push);
  consider();
  settleSoon();
  if (waiting() && view.ply === view.moves.length) later = setTimeout(computer, PAUSE);
}

let settling = false;

/** Does what can wait until the picture is on the screen, which these would delay by milliseconds. */
function settleSoon() {
  if (settling) return;
  settling = true;
  const settle = () => {
    settling = false;
    writeAddress();
    for (const board of boards) board.settle();
    document.body.dataset.shown = shown();
  };
  // Pages in the background are not painted.
  if (document.hidden) setTimeout(settle);
  else requestAnimationFrame(() => setTimeout(settle));
}

/** Returns the ply that is shown, of how many. */
const shown = () => `${view.ply}/${view.moves.length}`;

function writeAddress(push = false) {
  const target = address(view.record, view.ply, view.moves.length);
  // The browser escapes some signs itself.
  if (new URL(target, location).hash !== location.hash) history[push ? "pushState" : "replaceState"](null, "", target);
}

/** Returns whether a person is to move. */
const isPerson = () => !view.over && seats[view.turn] === PERSON;

/** Returns whether a computer is to move. */
const waiting = () => !view.over && seats[view.turn] !== PERSON;

/** Finds out the value of what is shown, if that is wanted. The game does not wait for it. */
function consider() {
  if (view.over && !evaluation) [evaluation, settled] = [result(view), true];
  if ((weighing || hinting) && !settled && !adviser.busy) {
    adviser.ask({ game: view.game, text: view.position.text }, (answer) => {
      evaluation = answer.evaluation ?? evaluation;
      settled = Boolean(answer.done);
      if (answer.error) complain(`The search has failed: ${answer.error}`);
      advise();
    });
  }
  if (!weighing && !hinting) adviser.stop();
  advise();
}

/** Shows what is known of the value. */
function advise() {
  if (hinting) {
    const words = advice(view, evaluation, adviser.busy);
    // What does not change is not read out again.
    if ($("happened").textContent !== words) $("happened").textContent = words;
    for (const board of boards) board.hint(evaluation?.best ?? []);
  }
  $("weigh").checked = weighing;
  for (const id of ["bar", "worth"]) $(id).toggleAttribute("hidden", !weighing);
  if (!weighing) return;
  $("worth").textContent = evaluation ? worth(view, evaluation) : adviser.busy ? "thinking…" : "not known";
  $("bar").classList.toggle("known", Boolean(evaluation));
  $("bar").classList.toggle("guessed", Boolean(evaluation) && !evaluation.exact);
  $("first").setAttribute("width", evaluation ? 100 * share(view, evaluation) : 50);
  if (evaluation) $("bar").dataset.shown = shown();
}

function showPlayers(game) {
  const cards = view.players.map((_, side) => {
    const card = document.createElement("div");
    card.className = "player";
    card.classList.toggle("turn", view.turn === side);
    card.classList.toggle("won", view.over && view.winner === side);
    card.classList.toggle("lost", view.over && view.winner === 1 - side);
    const name = game.player(view, side);
    const icon = game.icon ? game.icon(view, side) : game.piece(view, side + 1);
    const state = view.turn === side ? "to move" : view.over && view.winner === side ? "winner" : "";
    const count = game.count ? `<b>${game.count(view, side)}<small>${game.counted}</small></b>` : "";
    card.innerHTML = '<svg viewBox="-50 -50 100 100" aria-hidden="true">' +
      `<rect x="-50" y="-50" width="100" height="100" rx="18" fill="${game.board}"/>${icon}</svg>` +
      `<div><strong>${name}</strong><em>${state}</em></div>${count}`;
    const choice = document.createElement("select");
    choice.setAttribute("aria-label", `Who plays ${name}`);
    choice.dataset.side = side;
    choice.append(new Option("Person", PERSON), ...Object.keys(COMPUTERS).map((who) => new Option(`Computer: ${who}`, who)));
    choice.value = seats[side];
    card.append(choice);
    return card;
  });
  const held = document.activeElement?.dataset?.side;
  $("players").replaceChildren(...cards);
  if (held) cards[held].querySelector("select").focus();
}

/** Shows the list of moves; what is in it already stays. */
function showMoves(game) {
  const list = $("moves");
  const held = list.contains(document.activeElement);
  const names = ["start", ...view.moves];
  const items = list.children;
  const differs = names.findIndex((name, ply) => items[ply]?.textContent !== name);
  while (items.length > (differs < 0 ? names.length : differs)) list.lastChild.remove();
  for (let ply = items.length; ply < names.length; ply++) list.append(moveItem(game, names[ply], ply));
  const before = list.querySelector("[aria-current]");
  const current = items[view.ply].firstChild;
  before?.removeAttribute("aria-current");
  before?.setAttribute("tabindex", -1);
  current.setAttribute("aria-current", "step");
  current.setAttribute("tabindex", 0);
  if (held) current.focus({ preventScroll: true });
  requestAnimationFrame(scrollMoves);
}

function moveItem(game, move, ply) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = move;
  button.dataset.ply = ply;
  button.tabIndex = -1;
  if (ply) {
    const side = view.sides[ply - 1];
    button.setAttribute("aria-label", `${ply}, ${game.player(view, side)}, ${move}`);
    button.classList.add(side ? "second" : "first");
  }
  const item = document.createElement("li");
  item.append(button);
  return item;
}

/** Scrolls by whole rows, and only the list: scrollIntoView would scroll a phone's page away from the board. */
function scrollMoves() {
  const items = $("moves").children;
  $("moves").scrollTop = items[view.ply].offsetTop - items[0].offsetTop - items[0].offsetHeight;
}

// Actions of people and computers.

function chosen(move, cell) {
  if (view.over) return complain("The game is over. Undo a move or start a new game.");
  if (seats[view.turn] !== PERSON) return complain("It is the computer's turn.");
  if (!view.legal.some((legal) => legal.move === move)) {
    const name = cell.node.getAttribute("aria-label");
    return complain(`${GAMES[view.game].player(view, view.turn)} cannot play there (${name}).`);
  }
  play(move);
}

/** Plays a move at the ply that is shown; it replaces what was played after it. */
function play(move) {
  const line = attempt(() => view.line.play(view.ply, move));
  if (line) show(line, line.moves.length, { moved: true });
}

function computer() {
  $("resume").hidden = true;
  document.querySelector(".player.turn em").textContent = "thinking…";
  const question = { game: view.game, text: view.position.text, computer: seats[view.turn] };
  player.ask(question, ({ move, error }) => {
    if (move) return play(move);
    if (!error) return;
    complain(`The computer could not think of a move: ${error}`);
    $("resume").hidden = false;
  });
}

function jump(ply) {
  show(view.line, ply, { moved: ply === view.ply + 1 });
}

/** Returns whether a person is to move at a ply; if only computers play, every ply will do. */
const isTurn = (ply) => seats.every((seat) => seat !== PERSON) || seats[view.sides[ply]] === PERSON;

function turnBefore() {
  for (let ply = view.ply - 1; ply >= 0; ply--) if (isTurn(ply)) return ply;
  return null;
}

function turnAfter() {
  for (let ply = view.ply + 1; ply <= view.moves.length; ply++) if (ply === view.moves.length || isTurn(ply)) return ply;
  return null;
}

const undo = () => turnBefore() !== null && jump(turnBefore());
const redo = () => turnAfter() !== null && jump(turnAfter());

function loadRecord(text) {
  if (!engine) return;
  const refused = (message) => {
    $("broken").textContent = message;
    $("record").value = text;
  };
  load(text.trim(), null, { push: true, refused });
}

function loadAddress() {
  const { record, ply, play: who, bar } = readAddress();
  if (location.hash.includes(":")) weighing = bar;
  // A link to another game keeps the seats; a whole record sets them.
  if (who?.length === 2) seats = who;
  else if (location.hash.includes(":")) seats = [PERSON, PERSON];
  const refused = (message) => {
    // A broken URL must not leave an empty page: show a game and what is wrong.
    if (view) show(view.line, view.ply, { push: true });
    else load(start(HOME), null, { push: true });
    complain(message);
  };
  load(record, ply, { refused });
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    $("happened").textContent = `${what} copied.`;
  } catch {
    $("record").value = text;
    $("record").select();
    complain(`${what} selected: copy it with your keyboard.`);
  }
}

function openSetup() {
  const { parameters, presets, title } = engine.declared[view.game];
  $("dialog-title").textContent = `New game of ${title}`;
  const note = document.createElement("p");
  note.textContent = "This game has no options.";
  $("parameters").replaceChildren(...(parameters.length ? parameters.map(field) : [note]));
  $("presets").replaceChildren(...presets.map(({ name, values }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", () => setValues(values));
    return button;
  }));
  $("presets").hidden = !parameters.length;
  setValues(view.parameters);
  $("wrong").textContent = "";
  $("dialog").showModal();
  // From a field, Enter starts the game; from the first button, it would choose a preset.
  fields()[0]?.focus();
}

/** Returns a labelled field for a parameter. */
function field({ about, least, most, words }) {
  const row = document.createElement("label");
  const input = document.createElement(words ? "select" : "input");
  if (words) input.append(...words.map((word) => new Option(word)));
  else Object.assign(input, { type: "number", min: least, max: most, required: true });
  row.append(about, input);
  return row;
}

const fields = () => [...$("parameters").querySelectorAll("input, select")];

function setValues(values) {
  fields().forEach((input, i) => (input.value = values[i]));
  markPreset();
}

/** Marks the preset whose values the fields have. */
function markPreset() {
  const values = String(fields().map((input) => input.value));
  engine.declared[view.game].presets.forEach((preset, i) => {
    $("presets").children[i].setAttribute("aria-pressed", String(preset.values) === values);
  });
}

function setUp() {
  const values = fields().map((input) => input.value);
  const refused = (message) => ($("wrong").textContent = message);
  if (load(start(view.game, values), null, { push: true, refused })) $("dialog").close();
}

/** Lets the browser save the library's picture of what is shown. */
function savePicture() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([view.picture], { type: "image/svg+xml" }));
  link.download = "board.svg";
  link.click();
  // The browser reads it a little later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// Wiring.

const on = (id, event, act) => $(id).addEventListener(event, act);
const submit = (act) => (event) => {
  event.preventDefault();
  act();
};
const ready = (act) => () => view && act();

on("undo", "click", ready(undo));
on("redo", "click", ready(redo));
on("hint", "click", ready(() => {
  hinting = true;
  consider();
}));
on("weigh", "change", ready(() => {
  weighing = $("weigh").checked;
  writeAddress();
  consider();
}));
on("resume", "click", ready(computer));
on("new", "click", ready(openSetup));
on("cancel", "click", () => $("dialog").close());
on("parameters", "input", markPreset);
on("setup", "submit", submit(setUp));
on("sharing", "submit", submit(() => loadRecord($("record").value)));
on("copy", "click", ready(() => copy(view.record, "Record")));
on("save", "click", ready(savePicture));
on("share", "click", ready(() => copy(location.href, "Link")));
on("moves", "click", (event) => event.target.dataset.ply && jump(Number(event.target.dataset.ply)));
on("moves", "keydown", (event) => {
  const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
  if (!view) return;
  const ply = { Home: 0, End: view.moves.length }[event.key] ?? view.ply + step;
  if (!(ply >= 0 && ply <= view.moves.length)) return;
  event.preventDefault();
  jump(ply);
});
on("players", "change", (event) => {
  seats[Number(event.target.dataset.side)] = event.target.value;
  // The new player takes over at the position shown.
  show(view.line, view.ply);
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape") $("notice").textContent = "";
  const typing = event.target.matches?.("input, select");
  if (typing || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || !view) return;
  event.preventDefault();
  (event.shiftKey ? redo : undo)();
});
addEventListener("paste", (event) => {
  if (event.target.matches?.("input") || $("dialog").open) return;
  event.preventDefault();
  loadRecord(event.clipboardData.getData("text"));
});

/** Loads the games, and the one in the URL. */
async function begin() {
  try {
    engine = await import("./view.js");
  } catch (error) {
    complain(`The games cannot be loaded: ${error.message}. Reloading the page may help.`);
    return;
  }
  $("games").replaceChildren(...Object.values(engine.declared).map(({ name, title }) => {
    const link = document.createElement("a");
    link.href = `#${name}`;
    link.textContent = title;
    return link;
  }));
  addEventListener("hashchange", loadAddress);
  loadAddress();
  // Where browsers refuse it, as in private windows, the page needs its server for what it has not loaded.
  navigator.serviceWorker?.register("service.js").catch(() => {});
}

begin();
