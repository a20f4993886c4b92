// The page: what is typed is checked and run by the worker; an address with a fragment holds a program and its input.
import { EXAMPLES } from "./examples.js";
import { tokens } from "./highlight.js";

const element = (id) => document.getElementById(id);
const program = element("program");
const input = element("input");
// Longer output is cut off for the eye; a page with more is slow.
const SHOWN = 1_000_000;
const CHECK_AFTER = 200;

let worker;
let number = 0;
const waiting = new Map();

function startWorker() {
    worker = new Worker("./worker.js", { type: "module" });
    worker.onmessage = ({ data }) => {
        if (data.ready) {
            element("version").textContent = `rhawk ${data.ready}`;
        } else if (data.number === undefined) {
            say(`The engine cannot be loaded: ${data.broken}`);
        } else {
            waiting.get(data.number)?.(data);
            waiting.delete(data.number);
        }
    };
    worker.onerror = ({ message }) => say(`The engine cannot be loaded: ${message}`);
}

function ask(what, request) {
    number += 1;
    const mine = number;
    worker.postMessage({ number: mine, ask: what, request });
    return new Promise((answer) => waiting.set(mine, answer));
}

function say(text) {
    element("status").textContent = text;
}

function request() {
    return {
        program: program.value,
        input: input.value,
        format: element("format").value,
        header: element("header").checked,
        separator: element("separator").value,
    };
}

async function run() {
    element("run").disabled = true;
    element("stop").disabled = false;
    document.body.dataset.ended = "";
    say("Running …");
    const { result, broken, milliseconds } = await ask("run", request());
    element("run").disabled = false;
    element("stop").disabled = true;
    if (result) {
        // Without an error, what was found in the text stays.
        if (result.errors.length) showFindings({ ...result, warnings: [] });
        show(result.output, result.messages);
        document.body.dataset.ended = result.status === 0 ? "well" : "badly";
        say(`Status ${result.status}, ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`);
    } else {
        show("", "");
        say(broken ? `The engine failed: ${broken}` : "Stopped.");
    }
}

function stop() {
    worker.terminate();
    const all = [...waiting.values()];
    waiting.clear();
    startWorker();
    all.forEach((answer) => answer({}));
}

function show(output, messages) {
    const cut = output.length > SHOWN;
    const shown = cut ? output.slice(0, SHOWN) : output;
    element("text").textContent = shown;
    element("table").replaceChildren(tableOf(shown));
    element("messages").textContent = messages + (cut ? `\nOnly the first ${SHOWN} characters of the output are shown.` : "");
    element("messages").hidden = !element("messages").textContent;
    const asTable = document.querySelector("[name=view]:checked").value === "table";
    element("text").hidden = asTable;
    element("table").hidden = !asTable;
}

// Columns end at tabs where there are any, otherwise at blanks.
function tableOf(output) {
    const table = document.createElement("table");
    const separator = output.includes("\t") ? "\t" : / +/;
    for (const line of output.split("\n").slice(0, 2000)) {
        if (!line) continue;
        const row = table.insertRow();
        for (const value of line.split(separator)) {
            const cell = row.insertCell();
            cell.textContent = value;
            if (/^[-+]?[\d.]+%?$/.test(value)) cell.className = "number";
        }
    }
    return table;
}

// Places are of the text that was asked about: an answer about an older one is dropped.
async function check() {
    const asked = program.value;
    const { result } = await ask("check", request());
    if (result && asked === program.value) showFindings(result);
}

function showFindings({ errors, warnings }) {
    const findings = [
        ...errors.map((finding) => ({ ...finding, kind: "error" })),
        ...warnings.map((finding) => ({ ...finding, kind: "warning" })),
    ].filter(({ line }) => line > 0);
    element("findings").replaceChildren(...findings.map(itemOf));
    const marks = element("marks");
    marks.replaceChildren();
    const text = program.value;
    let from = 0;
    for (const { kind, start } of findings.map((f) => ({ ...f, start: offsetOf(text, f) })).sort((a, b) => a.start - b.start)) {
        if (start < from) continue;
        const end = start + Math.max(1, /^\w+/.exec(text.slice(start))?.[0].length ?? 1);
        const mark = document.createElement("mark");
        mark.className = kind;
        mark.textContent = text.slice(start, end).replace(/^\n?$/, " ");
        marks.append(text.slice(from, start), mark);
        from = text[start] === "\n" ? start : end;
    }
    marks.append(text.slice(from), "\n");
    followScroll();
}

function itemOf({ line, column, message, code, kind }) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = kind;
    button.textContent = `${line}:${column} ${kind}: ${message}${code ? ` [RH${String(code).padStart(4, "0")}]` : ""}`;
    button.onclick = () => {
        const at = offsetOf(program.value, { line, column });
        program.focus();
        program.setSelectionRange(at, at + 1);
    };
    item.append(button);
    return item;
}

// Lines and columns are counted from 1, columns in characters; what a textarea counts in is UTF-16.
function offsetOf(text, { line, column }) {
    const lines = text.split("\n");
    const before = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
    return before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
}

function followScroll() {
    for (const layer of [element("marks"), element("paint")]) {
        layer.scrollTop = program.scrollTop;
        layer.scrollLeft = program.scrollLeft;
    }
}

function fill({ program: text, input: records = "", format = "text", header = false, separator = "" }) {
    program.value = text;
    input.value = records;
    element("format").value = format;
    element("header").checked = header;
    element("separator").value = separator;
    element("marks").replaceChildren();
    paint();
    check();
}

// The program in colours, behind the text field, whose own letters are transparent.
function paint() {
    const parts = tokens(program.value).map(([text, kind]) => {
        if (!kind) return text;
        const part = document.createElement("span");
        part.className = kind;
        part.textContent = text;
        return part;
    });
    element("paint").replaceChildren(...parts, "\n");
    followScroll();
}

// A fragment is the request as compressed JSON in base64url. It is never sent to a server.
async function toFragment(value) {
    const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function fromFragment(fragment) {
    const bytes = Uint8Array.from(atob(fragment.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
}

async function begin() {
    const fragment = location.hash.slice(1);
    const example = EXAMPLES.find(({ name }) => encodeURIComponent(name) === fragment);
    if (example || !fragment) {
        element("examples").value = (example ?? EXAMPLES[0]).name;
        fill(example ?? EXAMPLES[0]);
        // What somebody else has written waits for a person.
        await run();
        return;
    }
    try {
        fill(await fromFragment(fragment));
        element("examples").value = "";
    } catch {
        fill(EXAMPLES[0]);
        say("The link is broken: it holds no program.");
    }
}

element("examples").append(...EXAMPLES.map(({ name }) => new Option(name)));
element("examples").onchange = ({ target }) => {
    location.hash = encodeURIComponent(target.value);
};
element("share").onclick = async () => {
    history.replaceState(null, "", `#${await toFragment(request())}`);
    try {
        await navigator.clipboard.writeText(location.href);
        say("The link is copied; it holds the program and its input.");
    } catch {
        say("The address of this page now holds the program and its input.");
    }
};
element("run").onclick = run;
element("stop").onclick = stop;
document.querySelectorAll("[name=view]").forEach((choice) => {
    choice.onchange = () => {
        element("text").hidden = choice.value === "table";
        element("table").hidden = choice.value !== "table";
    };
});
let timer;
program.oninput = () => {
    element("marks").replaceChildren();
    clearTimeout(timer);
    timer = setTimeout(check, CHECK_AFTER);
    paint();
};
program.onscroll = followScroll;
document.onkeydown = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !element("run").disabled) {
        event.preventDefault();
        run();
    }
};
window.onhashchange = begin;

startWorker();
begin();
if ("serviceWorker" in navigator) navigator.serviceWorker.register("./offline.js").catch(() => {});
