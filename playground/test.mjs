// Tests the page in target/playground, as `build` makes it: every example prints there what it prints under the command.
// RHAWK=FILE is the command, CHROMIUM=FILE the browser; without a browser only the engine under Node is tested, and that is said.
// Leaves pictures of the page in target/playground-{light,dark,phone}.png.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import assert from "node:assert/strict";
import { Page } from "./browser.mjs";

const root = resolve(import.meta.dirname, "..");
const site = join(root, "target/playground");
const rhawk = process.env.RHAWK ?? join(root, "target/release/rhawk");
const { Library, FORMATS } = await import(join(site, "library.js"));
const { EXAMPLES } = await import(join(site, "examples.js"));

function command({ program, input = "", format = "text", header = false, separator = "" }) {
    const folder = mkdtempSync(join(tmpdir(), "playground-"));
    const file = join(folder, "program");
    writeFileSync(file, program);
    const args = ["-f", file];
    if (format in FORMATS) args.unshift(`--${format}`);
    if (header) args.unshift("-H");
    if (separator) args.unshift("-v", `FS=${separator}`);
    const ended = spawnSync(rhawk, args, { input, encoding: "utf8", env: { LC_ALL: "C.UTF-8" } });
    rmSync(folder, { recursive: true });
    if (ended.error) throw ended.error;
    return { output: ended.stdout, status: ended.status };
}

let failed = 0;
async function test(name, work) {
    try {
        await work();
        console.log(`ok   ${name}`);
    } catch (error) {
        failed += 1;
        console.log(`FAIL ${name}: ${error.message}`);
    }
}

const expected = new Map(EXAMPLES.map((example) => [example.name, command(example)]));
const library = await Library.of(await WebAssembly.compile(readFileSync(join(site, "riverhawk.wasm"))));

await test("there are 20 examples, each with a name of its own", () => {
    assert.equal(EXAMPLES.length, 20);
    assert.equal(expected.size, 20);
});
await test("all of it is less than 3 MB compressed", () => {
    const sizes = readdirSync(site).map((name) => gzipSync(readFileSync(join(site, name)), { level: 9 }).length);
    const size = sizes.reduce((sum, one) => sum + one, 0);
    assert.ok(size < 3_000_000, `${size} bytes`);
});
for (const example of EXAMPLES) {
    await test(`under Node: ${example.name}`, () => {
        const { output, status } = library.run(example);
        assert.deepEqual({ output, status }, expected.get(example.name));
    });
}
await test("a program that does not compile has its place", () => {
    const { errors } = library.check("BEGIN {\n  x = (1 + ; print x }");
    assert.deepEqual([errors[0].line, errors[0].column], [2, 12]);
});
await test("what is dubious is a warning with a code", () => {
    const { errors, warnings } = library.check('BEGIN { if (x = 1) print 1 }');
    assert.deepEqual(errors, []);
    assert.match(warnings[0].message, /assignment used in conditional context/);
    assert.deepEqual([warnings[0].line, warnings[0].column, warnings[0].code], [1, 13, 802]);
});
await test("a run that fails says what it printed before", () => {
    const { output, status, messages } = library.run({ program: "{ print; if (NR == 2) x = 1 / 0 }", input: "a\nb\nc\n" });
    assert.deepEqual([output, status], ["a\nb\n", 2]);
    assert.match(messages, /division by zero/);
});
await test("a run says nothing of what is only dubious", () => {
    assert.equal(library.run({ program: "{ sum[$1] += $2 }", input: "a 1\n" }).messages, "");
});
await test("commands and files are refused", () => {
    assert.equal(library.run({ program: 'BEGIN { system("true") }', input: "" }).status, 2);
    assert.equal(library.run({ program: 'BEGIN { print > "x" }', input: "" }).status, 2);
});
await test("ten megabytes go in and come out", () => {
    const input = "0123456789 abcdefghi\n".repeat(500_000);
    assert.equal(library.run({ program: "{ print $2, $1 }", input }).output.length, input.length);
});

const { request, linked, words } = await import("./try-it.mjs");
await test("a shell's words are taken apart, and what is more than words is refused", () => {
    assert.deepEqual(words(`rhawk -F'|' "a \\" b" c'd'e`), ["rhawk", "-F|", 'a " b', "cde"]);
    for (const line of ["rhawk '", 'rhawk "$x"', "rhawk *.txt", "rhawk a; b", "rhawk a > b", "rhawk $(x)"]) {
        assert.equal(words(line), null, line);
    }
});
await test("a command of the manual becomes a request", () => {
    const files = new Map([["orders", "tea 3\n"]]);
    const made = (line) => request(line, files);
    const plain = { program: "1\n", input: "", format: "text", header: false, separator: "" };
    assert.deepEqual(made("rhawk -F: '1' orders"), { ...plain, input: "tea 3\n", separator: ":" });
    assert.deepEqual(made("printf 'a\\n' | rhawk --csv -H 1"), { ...plain, input: "a\n", format: "csv", header: true });
    assert.equal(made("rhawk -v RS= -v n=3 1 < orders").program, 'BEGIN { RS = ""; n = 3 }\n\n1\n');
    for (const line of ["rhawk 1 nosuch", "rhawk 1 orders orders", "rhawk -M 1", "rhawk 1 orders | sort", "printf '%d' | rhawk 1", "gawk 1"]) {
        assert.equal(made(line), null, line);
    }
});
const CHAPTER = "```console\n$ printf 'tea 3\\n' > orders\n$ rhawk '{ print $2 }' orders\n3\n$ rhawk '{ print $1 }' orders\nmilk\n```\n";
const chapter = linked(CHAPTER, "../", (made) => library.run(made).output);
await test("only an example that prints what its chapter says has a link", () => {
    assert.equal(chapter.links, 1);
    assert.match(chapter.text, /```\n\n<p class="try-it"><a href="..\/playground\/index.html#[\w-]+">Try it<\/a><\/p>/);
});

async function inBrowser() {
    const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
    const server = createServer((request, response) => {
        const path = new URL(request.url, "http://localhost").pathname;
        try {
            const body = readFileSync(join(site, path === "/" ? "index.html" : path));
            response.writeHead(200, { "content-type": types[extname(path) || ".html"] }).end(body);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const address = `http://127.0.0.1:${server.address().port}/`;
    const page = await Page.open(browser);
    try {
        await page.send("Emulation.setDeviceMetricsOverride", { width: 1200, height: 900, deviceScaleFactor: 1, mobile: false });
        await page.send("Page.navigate", { url: address });
        await test("the page loads its engine", () => page.until(`document.getElementById("version")?.textContent.startsWith("rhawk ")`));
        const runAndWait = async () => {
            await page.until(`!document.getElementById("run").disabled`);
            await page.value(`document.getElementById("run").click()`);
            await page.until(`!document.getElementById("run").disabled && /^(Status|The engine)/.test(document.getElementById("status").textContent)`);
            const said = await page.value(`document.getElementById("status").textContent`);
            assert.match(said, /^Status/);
        };
        for (const { name } of EXAMPLES) {
            await test(`in the browser: ${name}`, async () => {
                await page.value(`location.hash = ${JSON.stringify(encodeURIComponent(name))}`);
                await page.until(`document.getElementById("examples").value === ${JSON.stringify(name)}`);
                await page.until(`document.getElementById("program").value === ${JSON.stringify(EXAMPLES.find((e) => e.name === name).program)}`);
                await runAndWait();
                assert.equal(await page.value(`document.getElementById("text").textContent`), expected.get(name).output);
            });
        }
        const type = (text) => page.value(`{ const p = document.getElementById("program"); p.value = ${JSON.stringify(text)}; p.dispatchEvent(new Event("input")); }`);
        await test("an error is marked where it is, and its line leads there", async () => {
            await type("BEGIN {\n  x = (1 + ; print x }");
            await page.until(`document.querySelector("#findings .error")?.textContent.startsWith("2:12 error: expected an expression")`);
            assert.equal(await page.value(`document.querySelector("#marks mark").textContent`), ";");
            await page.value(`document.querySelector("#findings .error").click()`);
            assert.equal(await page.value(`document.getElementById("program").selectionStart`), 19);
        });
        await test("a run that does not end is stopped, and the next one works", async () => {
            await type("BEGIN { while (1) n++ }");
            await page.value(`document.getElementById("run").click()`);
            await page.until(`!document.getElementById("stop").disabled`);
            await page.value(`document.getElementById("stop").click()`);
            await page.until(`document.getElementById("status").textContent === "Stopped."`);
            await type('BEGIN { print "again" }');
            await runAndWait();
            assert.equal(await page.value(`document.getElementById("text").textContent`), "again\n");
        });
        await test("Control and Enter runs the program", async () => {
            await type('BEGIN { print "by key" }');
            await page.value(`document.getElementById("program").focus()`);
            for (const kind of ["keyDown", "keyUp"]) {
                await page.send("Input.dispatchKeyEvent", { type: kind, key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, modifiers: 2 });
            }
            await page.until(`document.getElementById("text").textContent === "by key\\n"`);
        });
        await test("the colours say the same text as the program", async () => {
            const text = "/[/]x/ { n = $1 / 2; print \"a\\\"/\" # it's\n}\n";
            await type(text);
            assert.equal(await page.value(`document.getElementById("paint").textContent`), text + "\n");
            assert.equal(await page.value(`document.querySelector("#paint .regex").textContent`), "/[/]x/");
        });
        await test("output as a table", async () => {
            await type('BEGIN { print "a b"; print "c", 12 }');
            await runAndWait();
            await page.value(`document.querySelector("[name=view][value=table]").click()`);
            assert.equal(await page.value(`[...document.querySelectorAll("#table td")].map((c) => c.textContent).join("|")`), "a|b|c|12");
            await page.value(`document.querySelector("[name=view][value=text]").click()`);
        });
        await test("a shared link brings program and input back", async () => {
            await type('{ print "shared", $0 }');
            await page.value(`document.getElementById("input").value = "é\\n"`);
            // The address has that of the last example until the link is made.
            const before = await page.value("location.hash");
            await page.value(`document.getElementById("share").click()`);
            await page.until(`location.hash !== ${JSON.stringify(before)}`);
            const link = await page.value("location.href");
            await page.send("Page.navigate", { url: "about:blank" });
            await page.send("Page.navigate", { url: link });
            await page.until(`document.getElementById("program")?.value === '{ print "shared", $0 }'`);
            assert.equal(await page.value(`document.getElementById("input").value`), "é\n");
        });
        await test("a link of the manual opens its example, which prints what the manual says", async () => {
            await page.send("Page.navigate", { url: "about:blank" });
            await page.send("Page.navigate", { url: address + chapter.text.match(/#[\w-]+/)[0] });
            await page.until(`document.getElementById("program")?.value === "{ print $2 }\\n"`);
            assert.equal(await page.value(`document.getElementById("input").value`), "tea 3\n");
            await runAndWait();
            assert.equal(await page.value(`document.getElementById("text").textContent`), "3\n");
        });
        await test("everything that can be used has a name", async () => {
            const { nodes } = await page.send("Accessibility.getFullAXTree");
            const roles = ["button", "textbox", "combobox", "checkbox", "radio", "MenuListPopup"];
            const used = nodes.filter(({ role, ignored }) => !ignored && roles.includes(role?.value));
            assert.ok(used.length >= 10, `${used.length} controls`);
            const nameless = used.filter(({ name, role }) => role.value !== "MenuListPopup" && !name?.value);
            assert.deepEqual(nameless.map(({ role }) => role.value), []);
        });
        await test("it works without a network after the first time", async () => {
            await page.until(`navigator.serviceWorker.controller`);
            server.closeAllConnections();
            await new Promise((done) => server.close(done));
            await page.send("Page.navigate", { url: "about:blank" });
            await page.send("Page.navigate", { url: address });
            await page.until(`document.getElementById("version")?.textContent.startsWith("rhawk ")`);
            await runAndWait();
        });
        await test("a phone's width has no sideways scrolling", async () => {
            await page.send("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 2, mobile: true });
            assert.ok(await page.value("document.documentElement.scrollWidth <= 390"));
            writeFileSync(join(root, "target/playground-phone.png"), await page.picture());
        });
        await page.send("Emulation.setDeviceMetricsOverride", { width: 1200, height: 900, deviceScaleFactor: 1, mobile: false });
        for (const scheme of ["light", "dark"]) {
            await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
            writeFileSync(join(root, `target/playground-${scheme}.png`), await page.picture());
        }
    } finally {
        server.close();
        await page.close();
    }
}

const browser = process.env.CHROMIUM ?? ["chromium", "chromium-browser", "google-chrome"].find((name) => spawnSync(name, ["--version"]).status === 0);
if (browser) {
    await inBrowser();
} else {
    console.log("left out: the page in a browser, as there is no chromium");
}
process.exit(failed ? 1 : 0);
