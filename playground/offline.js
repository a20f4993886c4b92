// Keeps the page for when there is no network. `build` writes the version, which is the hash of all files.
const VERSION = "unbuilt";
const FILES = ["./", "index.html", "style.css", "page.js", "examples.js", "highlight.js", "library.js", "worker.js", "riverhawk.wasm"];

self.oninstall = (event) => {
    event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)));
    self.skipWaiting();
};

self.onactivate = (event) => {
    const old = (names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)));
    event.waitUntil(caches.keys().then(old));
};

self.onfetch = (event) => {
    if (event.request.method !== "GET") return;
    event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request)));
};
