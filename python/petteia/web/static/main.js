// The page's controller. All it knows of a game is the server's last response (`view`) and who plays (`seats`). Both
// are in the URL, so reloading, sharing and restarting the server lose nothing.

import { Board } from "./board.js";
import { advice, GAMES, happened, share, standing, worth } from "./games.js";

const $ = (id) => document.getElementById(id);
const PERSON = "person";
const RETRY = 1500;
// The game that the page starts with: the brand links to it.
const HOME = document.querySelector(".brand").hash.slice(1);

// The games by name, with their titles, parameters and presets, fetched once.
let games = null;
let view = null;
let seats = [PERSON, PERSON];
let boards = [];
let ticket = 0;
let busy = false;
let later = 0;
// The ply that was jumped to and is not shown yet: a second quick undo continues from there.
let aim = null;
let weighing = false;

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
    // The page writes no stray %; the server reports what is wrong with it.
    return text;
  }
}

function readAddress() {
  const [name, ...rest] = decoded(location.hash.slice(1).replaceAll("_", " ")).split("&");
  const more = Object.fromEntries(rest.map((part) => part.split("=", 2)));
  const game = name || HOME;
  const record = Object.hasOwn(games, game) ? start(game) : decoded(game);
  const ply = /^\d{1,6}$/.test(more.at ?? "") ? Number(more.at) : null;
  return { record, ply, play: more.play?.split(","), bar: more.bar === "on" };
}

/** Returns the record of a new game, by default with the parameters of its first preset. */
function start(game, parameters = games[game].presets[0].values) {
  return `${[game, ...parameters].join(" ")}:`;
}

// The server.

class Refused extends Error {}

async function post(question) {
  const answer = await fetch("game", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(question),
  });
  const data = await answer.json();
  if (!answer.ok) throw new Refused(data.error);
  return data;
}

/** Sends a request and returns the response, or null if another request has been sent meanwhile. */
async function ask(question) {
  const mine = ++ticket;
  aim = null;
  clearTimeout(later);
  busy = true;
  try {
    const answer = await post(question);
    if (mine !== ticket) return null;
    $("notice").textContent = "";
    return answer;
  } catch (error) {
    if (mine !== ticket) return null;
    throw error;
  } finally {
    if (mine === ticket) {
      busy = false;
      aim = null;
    }
  }
}

/** Sends a request and shows the response. Errors go to `refused`; if there is no server, retries later. */
async function request(question, { moved = false, push = false, refused = complain } = {}) {
  try {
    const answer = await ask(question);
    if (!answer) return false;
    show(answer, moved, push);
    return true;
  } catch (error) {
    if (error instanceof Refused) refused(error.message);
    else {
      complain(SILENT);
      later = setTimeout(() => request(question, { moved, push, refused }), RETRY);
    }
    return false;
  }
}

const SILENT = "The server is not responding. Your game is saved in the URL and continues when the server is back.";

function complain(message) {
  $("notice").textContent = message;
}

// The display.

const shape = (some) => `${some.game} ${some.parameters.join(" ")}`;

function show(answer, moved, push) {
  const rebuilt = !view || shape(view) !== shape(answer);
  const held = document.activeElement?.closest?.("#boards");
  view = answer;
  seats = seats.map((seat) => (view.computers.includes(seat) ? seat : PERSON));
  const game = GAMES[view.game];
  if (rebuilt) {
    const { title, about } = games[view.game];
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
  const person = !view.over && seats[view.turn] === PERSON;
  for (const board of boards) board.show(view, { person, moved, hints: view.evaluation?.best });
  // If there is a pool, keyboard focus moves between it and the board with every turn.
  if (held && boards.length > 1 && person) boards[view.hand === null ? 1 : 0].focused.node.focus();
  $("standing").textContent = standing(view);
  $("happened").textContent = "evaluation" in view ? advice(view) : happened(view);
  $("broken").textContent = "";
  $("record").value = view.record;
  $("save").href = `board.svg?${new URLSearchParams({ record: view.record, ply: view.ply })}`;
  showPlayers(game);
  showMoves(game);
  $("undo").disabled = turnBefore() === null;
  $("redo").disabled = turnAfter() === null;
  $("hint").disabled = view.over;
  $("resume").hidden = !(waiting() && view.ply < view.moves.length);
  const target = address(view.record, view.ply, view.moves.length);
  // The browser escapes some signs itself.
  if (new URL(target, location).hash !== location.hash) history[push ? "pushState" : "replaceState"](null, "", target);
  document.body.dataset.shown = `${view.ply}/${view.moves.length}`;
  weigh();
  clearTimeout(later);
  if (waiting() && view.ply === view.moves.length) later = setTimeout(computer, 420);
}

/** Returns whether a computer is to move. */
const waiting = () => !view.over && seats[view.turn] !== PERSON;

/** Updates the evaluation bar, which is empty if there is no exact value. The game does not wait for it. */
async function weigh() {
  const shown = view;
  $("weigh").checked = weighing;
  for (const id of ["bar", "worth"]) $(id).toggleAttribute("hidden", !weighing);
  if (!weighing) return;
  const { evaluation } = "evaluation" in view ? view
    : await post({ record: view.record, ply: view.ply, evaluate: true }).catch(() => ({ evaluation: null }));
  if (shown !== view) return;
  $("worth").textContent = evaluation ? worth(view, evaluation) : "not known yet";
  $("bar").classList.toggle("known", Boolean(evaluation));
  $("first").setAttribute("width", evaluation ? 100 * share(view, evaluation) : 50);
  $("bar").dataset.shown = document.body.dataset.shown;
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
    choice.append(new Option("Person", PERSON), ...view.computers.map((who) => new Option(`Computer: ${who}`, who)));
    choice.value = seats[side];
    card.append(choice);
    return card;
  });
  const held = document.activeElement?.dataset?.side;
  $("players").replaceChildren(...cards);
  if (held) cards[held].querySelector("select").focus();
}

function showMoves(game) {
  const held = $("moves").contains(document.activeElement);
  const items = ["start", ...view.moves].map((move, ply) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = move;
    button.dataset.ply = ply;
    button.tabIndex = ply === view.ply ? 0 : -1;
    if (ply) {
      const side = view.sides[ply - 1];
      button.setAttribute("aria-label", `${ply}, ${game.player(view, side)}, ${move}`);
      button.classList.add(side ? "second" : "first");
    }
    if (ply === view.ply) button.setAttribute("aria-current", "step");
    const item = document.createElement("li");
    item.append(button);
    return item;
  });
  $("moves").replaceChildren(...items);
  const current = items[view.ply].firstChild;
  if (held) current.focus();
  // Scrolls by whole rows, and only the list: scrollIntoView would scroll a phone's page away from the board.
  $("moves").scrollTop = items[view.ply].offsetTop - items[0].offsetTop - items[0].offsetHeight;
}

// Actions of people and computers.

function chosen(move, cell) {
  if (busy) return;
  if (view.over) return complain("The game is over. Undo a move or start a new game.");
  if (seats[view.turn] !== PERSON) return complain("It is the computer's turn.");
  if (!view.legal.some((legal) => legal.move === move)) {
    const name = cell.node.getAttribute("aria-label");
    return complain(`${GAMES[view.game].player(view, view.turn)} cannot play there (${name}).`);
  }
  play(move);
}

/** Returns the record of the moves up to the ply that is shown, and perhaps one more. */
function recordHere(...more) {
  const head = view.record.slice(0, view.record.lastIndexOf(":") + 1);
  return [head, ...view.moves.slice(0, view.ply), ...more].join(" ");
}

function play(move) {
  return request({ record: recordHere(move) }, { moved: true });
}

function computer() {
  return request({ record: recordHere(), computer: seats[view.turn] }, { moved: true });
}

const here = () => aim ?? view.ply;

function jump(ply) {
  const going = request({ record: view.record, ply }, { moved: ply === view.ply + 1 });
  aim = ply;
  return going;
}

/** Returns whether a person is to move at a ply; if only computers play, every ply will do. */
const isTurn = (ply) => seats.every((seat) => seat !== PERSON) || seats[view.sides[ply]] === PERSON;

function turnBefore() {
  for (let ply = here() - 1; ply >= 0; ply--) if (isTurn(ply)) return ply;
  return null;
}

function turnAfter() {
  for (let ply = here() + 1; ply <= view.moves.length; ply++) if (ply === view.moves.length || isTurn(ply)) return ply;
  return null;
}

const undo = () => turnBefore() !== null && jump(turnBefore());
const redo = () => turnAfter() !== null && jump(turnAfter());

function loadRecord(text) {
  if (!games) return null;
  const refused = (message) => {
    $("broken").textContent = message;
    $("record").value = text;
  };
  return request({ record: text.trim() }, { push: true, refused });
}

function loadAddress() {
  const { record, ply, play: who, bar } = readAddress();
  if (location.hash.includes(":")) weighing = bar;
  // A link to another game keeps the seats; a whole record sets them.
  if (who?.length === 2) seats = who;
  else if (location.hash.includes(":")) seats = [PERSON, PERSON];
  const refused = (message) => {
    // A broken URL must not leave an empty page: show a game and what is wrong.
    const fallback = view ? view.record : start(HOME);
    request({ record: fallback, ply: view?.ply }, { push: true }).then(() => complain(message));
  };
  return request({ record, ply }, { refused });
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
  const { parameters, presets, title } = games[view.game];
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
  games[view.game].presets.forEach((preset, i) => {
    $("presets").children[i].setAttribute("aria-pressed", String(preset.values) === values);
  });
}

async function setUp() {
  const values = fields().map((input) => input.value);
  const refused = (message) => ($("wrong").textContent = message);
  if (await request({ record: start(view.game, values) }, { push: true, refused })) $("dialog").close();
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
on("hint", "click", ready(() => request({ record: view.record, ply: view.ply, evaluate: true })));
on("weigh", "change", ready(() => {
  weighing = $("weigh").checked;
  show(view, false, false);
}));
on("resume", "click", ready(computer));
on("new", "click", ready(openSetup));
on("cancel", "click", () => $("dialog").close());
on("parameters", "input", markPreset);
on("setup", "submit", submit(setUp));
on("sharing", "submit", submit(() => loadRecord($("record").value)));
on("copy", "click", ready(() => copy(view.record, "Record")));
on("share", "click", ready(() => copy(location.href, "Link")));
on("moves", "click", (event) => event.target.dataset.ply && jump(Number(event.target.dataset.ply)));
on("moves", "keydown", (event) => {
  const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
  if (!view) return;
  const ply = { Home: 0, End: view.moves.length }[event.key] ?? here() + step;
  if (!(ply >= 0 && ply <= view.moves.length)) return;
  event.preventDefault();
  jump(ply);
});
on("players", "change", (event) => {
  seats[Number(event.target.dataset.side)] = event.target.value;
  // The new player takes over at the position shown.
  request({ record: view.record, ply: view.ply });
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

/** Fetches the list of games, retrying until the server responds, and loads the game in the URL. */
async function begin() {
  try {
    const known = (await (await fetch("games.json")).json()).filter(({ name }) => Object.hasOwn(GAMES, name));
    games = Object.fromEntries(known.map((game) => [game.name, game]));
  } catch {
    complain(SILENT);
    setTimeout(begin, RETRY);
    return;
  }
  $("games").replaceChildren(...Object.values(games).map(({ name, title }) => {
    const link = document.createElement("a");
    link.href = `#${name}`;
    link.textContent = title;
    return link;
  }));
  addEventListener("hashchange", loadAddress);
  loadAddress();
}

begin();
