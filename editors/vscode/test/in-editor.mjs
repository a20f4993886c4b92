// Tries the packed extension in VS Code: target/rhawk.vsix, in the server of code-server, seen by a headless browser.
// CODE_SERVER=FOLDER is an installed package of that name, RHAWK=FILE the command, CHROMIUM=FILE the browser.
// Leaves pictures in target/vscode-{problems,debugger}.png, and target/vscode-failure.png if it fails;
// RIVERHAWK_UPDATE=1 puts the second into the manual.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import assert from "node:assert/strict";
import { Page } from "../../../playground/browser.mjs";

const root = resolve(import.meta.dirname, "../../..");
const rhawk = process.env.RHAWK ?? join(root, "target/debug/rhawk");
const entry = join(process.env.CODE_SERVER ?? "node_modules/code-server", "out/node/entry.js");
const port = 8399;

const PROGRAM = `# The price in a text.
function price(text) { sub(/^\\$/, "", text); return text + 0 }
{ total[$1] += price($2) }
END {
	if (total["tea"] = 0) print "no tea"
	for (name in total) print name, total[name]
}
`;

const folder = mkdtempSync(join(tmpdir(), "rhawk-vscode-"));
const [work, data] = [join(folder, "work"), join(folder, "data")];
const launch = { type: "rhawk", request: "launch", name: "Report", program: "${workspaceFolder}/p.awk", args: ["in"], cwd: "${workspaceFolder}", stopOnEntry: true };
mkdirSync(join(work, ".vscode"), { recursive: true });
mkdirSync(join(data, "Machine"), { recursive: true });
writeFileSync(join(work, "p.awk"), PROGRAM);
writeFileSync(join(work, "in"), "tea $3\ncrème $4\n");
writeFileSync(join(work, ".vscode/launch.json"), JSON.stringify({ version: "0.2.0", configurations: [launch] }));
writeFileSync(join(data, "Machine/settings.json"), JSON.stringify({ "rhawk.path": rhawk, "workbench.startupEditor": "none" }));

const own = ["--user-data-dir", data, "--extensions-dir", join(data, "extensions")];
execFileSync(process.execPath, [entry, ...own, "--install-extension", join(root, "target/rhawk.vsix")], { stdio: "inherit" });
const quiet = ["--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
const server = spawn(process.execPath, [entry, ...own, ...quiet, "--bind-addr", `127.0.0.1:${port}`, work], { stdio: "ignore" });
const page = await Page.open(process.env.CHROMIUM ?? "chromium");
const pause = (milliseconds) => new Promise((next) => setTimeout(next, milliseconds));

async function key(name, code, modifiers = 0) {
    for (const type of ["rawKeyDown", "keyUp"]) {
        await page.send("Input.dispatchKeyEvent", { type, key: name, code: name.length === 1 ? `Key${name}` : name, modifiers, windowsVirtualKeyCode: code });
    }
}

const texts = (selector) => page.value(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((it) => it.getAttribute("aria-label") ?? it.textContent).join("\\n")`);

try {
    await page.send("Emulation.setDeviceMetricsOverride", { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false });
    const file = `vscode-remote://127.0.0.1:${port}${join(work, "p.awk")}`;
    const payload = encodeURIComponent(JSON.stringify([["openFile", file]]));
    const address = `http://127.0.0.1:${port}/?folder=${encodeURIComponent(work)}&payload=${payload}`;
    for (let tries = 0; tries < 60 && !(await fetch(address).then(() => true, () => false)); tries += 1) await pause(500);
    await page.send("Page.navigate", { url: address });
    await page.until(`document.querySelector(".squiggly-warning")`);
    // Blanks do not break there.
    await page.until(`/total:.array/.test(document.querySelector(".view-lines")?.textContent)`);
    console.log("ok   warnings are underlined, and hints say what variables hold");

    await key("M", 77, 10);
    await page.until(`document.querySelector(".markers-panel .monaco-list-row")`);
    assert.match(await texts(".markers-panel .monaco-list-row"), /assignment used in conditional context/);
    writeFileSync(join(root, "target/vscode-problems.png"), await page.picture());
    console.log("ok   the list of problems has the warning");

    await page.send("Input.dispatchMouseEvent", { type: "mousePressed", x: 700, y: 350, button: "left", clickCount: 1 });
    await page.send("Input.dispatchMouseEvent", { type: "mouseReleased", x: 700, y: 350, button: "left", clickCount: 1 });
    await page.until(`document.activeElement?.closest(".editor-instance")`);
    await pause(1000);
    await key("F5", 116);
    await page.until(`document.querySelector(".debug-toolbar")`);
    await page.until(`document.querySelector(".debug-top-stack-frame-line")`);
    await key("F10", 121);
    await page.until(`document.querySelector(".debug-variables")?.textContent.includes("crème $4")`);
    const picture = await page.picture();
    writeFileSync(join(root, "target/vscode-debugger.png"), picture);
    if (process.env.RIVERHAWK_UPDATE) writeFileSync(join(root, "docs/vscode.png"), picture);
    console.log("ok   a run stops, and its record is shown");
    console.log("3 passed, 0 failed");
} catch (error) {
    writeFileSync(join(root, "target/vscode-failure.png"), await page.picture());
    throw error;
} finally {
    await page.close();
    const ended = new Promise((done) => server.on("close", done));
    server.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
