// The service worker: it keeps the page's files, so that the page works without a network once it was visited.
//
// The network comes first, so that a new version is seen at once; what is kept is for when there is none, or a slow one.

const KEPT = "petteia";

/** The files without which something would be missing. */
const FILES = [
  "./", "board.js", "computers.js", "games.js", "icon.svg", "icon-192.png", "icon-512.png", "main.js", "manifest.webmanifest",
  "petteia.js", "petteia.wasm", "reversi.weights", "style.css", "thinker.js", "view.js", "worker.js",
];

/** Folders of which every file is kept that was ever asked for. */
const FOLDERS = ["puzzles/"];

/** How long the network has for an answer, in milliseconds, where there is another. */
const PATIENCE = 3000;

const scope = new URL("./", location.href).href;

/** Returns the name under which an address is kept, or null if it is none of the page's files. */
function nameOf(address) {
  const url = new URL(address);
  const path = url.origin + url.pathname;
  if (!path.startsWith(scope)) return null;
  const name = path.slice(scope.length);
  if (name === "" || name === "index.html") return "./";
  return FILES.includes(name) || FOLDERS.some((folder) => name.startsWith(folder)) ? name : null;
}

addEventListener("install", (event) => {
  skipWaiting();
  const fetched = FILES.map((name) => new Request(name, { cache: "no-cache" }));
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(fetched)));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

/** Fetches a file and keeps it. */
async function renewed(request, name) {
  const response = await fetch(request);
  // Another server may be at this address now, or a page that asks for a password.
  if (response.ok && !response.redirected) {
    const kept = await caches.open(KEPT);
    await kept.put(name, response.clone());
  }
  return response;
}

async function answered(event, name) {
  const kept = await caches.match(name, { cacheName: KEPT });
  const fresh = renewed(event.request, name);
  if (!kept) return fresh;
  event.waitUntil(fresh.catch(() => {}));
  const late = new Promise((done) => setTimeout(done, PATIENCE, kept));
  return Promise.race([fresh.then((response) => (response.ok ? response : kept), () => kept), late]);
}

addEventListener("fetch", (event) => {
  const name = event.request.method === "GET" ? nameOf(event.request.url) : null;
  if (name) event.respondWith(answered(event, name));
});
