// A preprocessor of mdbook: puts links to the playground below the manual's examples. An example gets one if the playground
// prints what the page says: each is run here, by the engine in target/playground.
//
// `node try-it.mjs` reads what mdbook gives; `node try-it.mjs count` tells how many examples of docs/ have a link.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { deflateRawSync } from "node:zlib";

const root = resolve(import.meta.dirname, "..");
const site = join(root, "target/playground");
const PAGE = "playground/index.html";

/** The words of a shell's command line; none if it is more than words, pipes and input from a file. */
export function words(line) {
    const found = [];
    let word = null;
    for (let at = 0; at < line.length; at++) {
        const letter = line[at];
        if (letter === "'") {
            const end = line.indexOf("'", at + 1);
            if (end < 0) return null;
            word = (word ?? "") + line.slice(at + 1, end);
            at = end;
        } else if (letter === '"') {
            word ??= "";
            for (at++; line[at] !== '"'; at++) {
                if (at >= line.length || line[at] === "$" || line[at] === "`") return null;
                if (line[at] === "\\" && '"\\'.includes(line[at + 1])) at++;
                word += line[at];
            }
        } else if (/[\s]/.test(letter)) {
            if (word !== null) found.push(word);
            word = null;
        } else if (letter === "|" || letter === "<") {
            if (word !== null) found.push(word);
            word = null;
            found.push({ operator: letter });
        } else if (letter === "\\" || /[;&>$`*?(){}~#[\]]/.test(letter)) {
            // A pattern of files and all else that a shell would look at.
            return null;
        } else {
            word = (word ?? "") + letter;
        }
    }
    if (word !== null) found.push(word);
    return found;
}

/** What `printf` prints with a format alone; none with anything that it would convert. */
function printed(format) {
    if (/%(?!%)/.test(format.replaceAll("%%", ""))) return null;
    const escapes = { n: "\n", t: "\t", r: "\r", "\\": "\\", '"': '"', "'": "'" };
    let known = true;
    const text = format.replace(/\\(.)/gs, (whole, letter) => {
        known &&= letter in escapes;
        return escapes[letter];
    });
    return known ? text.replaceAll("%%", "%") : null;
}

/** The text that a command before a pipe prints. */
function piped(command) {
    if (command[0] === "printf" && command.length === 2) return printed(command[1]);
    if (command[0] === "echo" && command.length >= 2 && !command[1].startsWith("-")) return `${command.slice(1).join(" ")}\n`;
    return null;
}

/** A request of the playground for a command line, with the files that the page has made; none if it cannot have one. */
export function request(line, files) {
    const all = words(line);
    if (!all) return null;
    const pipe = all.findIndex((word) => word.operator === "|");
    let input = null;
    if (pipe >= 0) {
        const before = all.slice(0, pipe);
        if (before.some((word) => word.operator)) return null;
        input = piped(before);
        if (input === null) return null;
    }
    const command = all.slice(pipe + 1);
    if (command.shift() !== "rhawk") return null;
    const made = { program: null, input: "", format: "text", header: false, separator: "" };
    const [operands, assignments] = [[], []];
    for (let word = command.shift(); word !== undefined; word = command.shift()) {
        if (word.operator === "|") return null;
        if (word.operator === "<") {
            const name = command.shift();
            if (input !== null || !files.has(name)) return null;
            input = files.get(name);
        } else if (operands.length > 0 || made.program !== null || !word.startsWith("-") || word === "-") {
            if (made.program === null) made.program = word;
            else operands.push(word);
        } else if (["--csv", "--tsv", "--jsonl", "--json"].includes(word)) made.format = word.slice(2);
        else if (word.startsWith("-v")) assignments.push(word.slice(2) || command.shift());
        else if (word === "-H" || word === "--header") made.header = true;
        else if (word.startsWith("-F")) made.separator = word.slice(2) || command.shift();
        else if (word === "-f" && files.has(command[0])) made.program = files.get(command.shift());
        else return null;
    }
    if (made.program === null || operands.length > 1 || typeof made.separator !== "string") return null;
    // What -F makes of a `t`, and a shell's text of several lines, are not the page's to know.
    if (made.separator === "t" || made.separator.includes("\\")) return null;
    if (operands.length === 1) {
        if (input !== null || !files.has(operands[0])) return null;
        input = files.get(operands[0]);
    }
    made.input = input ?? "";
    // The page has no -v; a number stays one.
    const set = assignments.map((text) => String(text).match(/^(\w+)=([^"\\\n]*)$/));
    if (!set.every((found) => found)) return null;
    const values = set.map(([, name, value]) => `${name} = ${/^-?\d+(\.\d+)?$/.test(value) ? value : `"${value}"`}`);
    if (values.length > 0) made.program = `BEGIN { ${values.join("; ")} }\n\n${made.program}`;
    made.program = made.program.replace(/\n?$/, "\n");
    return made;
}

/** Remembers the file that a command line makes, or that it may have changed one. */
function note(lines, files) {
    const here = lines[0].match(/^cat > (\S+) <<'?(\w+)'?$/);
    if (here && lines.at(-1) === here[2]) {
        files.set(here[1], lines.slice(1, -1).map((line) => `${line}\n`).join(""));
        return;
    }
    const line = lines.join("\n");
    const target = line.match(/^(printf '[^']*') > (\S+)$/);
    if (target) {
        const text = piped(words(target[1]) ?? []);
        if (text !== null) {
            files.set(target[2], text);
            return;
        }
    }
    // A file that something else writes is not known any more.
    const shell = line.replace(/'[^']*'/g, "''");
    for (const name of files.keys()) {
        const isWritten = shell.includes(`> ${name}`) || shell.includes(`>${name}`) || line.includes(`> "${name}"`);
        const isEdited = /in-?place/.test(shell) || !/^rhawk |\| rhawk /.test(shell);
        if (isWritten || (isEdited && shell.includes(name))) files.delete(name);
    }
}

/** The commands of a block with what each prints: `{ lines, output }`. */
export function commands(block) {
    const found = [];
    for (const line of block.replace(/\n$/, "").split("\n")) {
        if (line.startsWith("$ ")) found.push({ lines: [line.slice(2)], output: "" });
        else if (found.length > 0 && found.at(-1).output === "" && /^> ?/.test(line)) found.at(-1).lines.push(line.replace(/^> ?/, ""));
        else if (found.length > 0) found.at(-1).output += `${line}\n`;
    }
    return found;
}

export const fragment = (value) => deflateRawSync(JSON.stringify(value), { level: 9 }).toString("base64url");

/** The text of a chapter with links; `up` is the way to the book's first folder. `prints` runs a request. */
export function linked(text, up, prints) {
    const files = new Map();
    let links = 0;
    const changed = text.replace(/^```console\n(.*?)^```$/gms, (whole, block) => {
        const own = [];
        for (const { lines, output } of commands(block)) {
            const made = request(lines.join("\n"), files);
            if (made && prints(made) === output) own.push(made);
            note(lines, files);
        }
        links += own.length;
        const name = (at) => (own.length === 1 ? "Try it" : `Try it: ${at + 1}`);
        const link = (made, at) => `<a href="${up}${PAGE}#${fragment(made)}">${name(at)}</a>`;
        return own.length === 0 ? whole : `${whole}\n\n<p class="try-it">${own.map(link).join(" ")}</p>`;
    });
    return { text: changed, links };
}

async function engine() {
    const { Library } = await import(join(site, "library.js"));
    const module = await WebAssembly.compile(readFileSync(join(site, "riverhawk.wasm")));
    const library = await Library.of(module);
    return (made) => {
        try {
            const { output, messages } = library.run({ ...made, now: Date.now() / 1000 });
            // The command names itself and its command line, and ends the last line.
            return output + messages.replace(/^program:/gm, "rhawk: cmd. line:").replace(/\n?$/, messages && "\n");
        } catch {
            return null;
        }
    };
}

async function preprocess() {
    const [, book] = JSON.parse(readFileSync(0, "utf8"));
    const prints = await engine();
    const walk = (items) => {
        for (const { Chapter: chapter } of items) {
            if (!chapter) continue;
            if (chapter.path) {
                const up = "../".repeat(chapter.path.split("/").length - 1);
                chapter.content = linked(chapter.content, up, prints).text;
                if (chapter.path === "introduction.md") chapter.content += `\n\n[rhawk in the browser](${PAGE}): a page to try programs on.\n`;
            }
            walk(chapter.sub_items ?? []);
        }
    };
    walk(book.items ?? book.sections);
    process.stdout.write(JSON.stringify(book));
}

async function count() {
    const prints = await engine();
    const docs = join(root, "docs");
    let all = 0;
    for (const name of readdirSync(docs, { recursive: true }).filter((name) => name.endsWith(".md")).sort()) {
        const { links } = linked(readFileSync(join(docs, name), "utf8"), "", prints);
        if (links > 0) console.log(`${String(links).padStart(4)} ${name}`);
        all += links;
    }
    console.log(`${String(all).padStart(4)} links`);
}

if (process.argv[1] === import.meta.filename) {
    if (process.argv[2] === "supports") process.exit(process.argv[3] === "html" ? 0 : 1);
    await (process.argv[2] === "count" ? count() : preprocess());
}
