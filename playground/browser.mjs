// A browser for the tests, by the DevTools protocol.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A page of a headless browser. */
export class Page {
    #child;
    #profile;
    #session;
    #number = 0;
    #waiting = new Map();

    static async open(browser) {
        const page = new Page();
        page.#profile = mkdtempSync(join(tmpdir(), "page-"));
        // Descriptors 3 and 4 speak the protocol.
        const child = spawn(browser, ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", `--user-data-dir=${page.#profile}`, "about:blank"], {
            stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
        });
        page.#child = child;
        let said = "";
        child.stdio[4].setEncoding("utf8").on("data", (text) => {
            const messages = (said + text).split("\0");
            said = messages.pop();
            messages.forEach((message) => page.#hear(JSON.parse(message)));
        });
        child.on("exit", () => page.#waiting.forEach(({ lost }) => lost(new Error("the browser ended"))));
        const { targetId } = await page.send("Target.createTarget", { url: "about:blank" });
        page.#session = (await page.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
        await page.send("Page.enable");
        return page;
    }

    async close() {
        const closed = new Promise((done) => this.#child.on("close", done));
        this.#child.kill();
        await closed;
        rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }

    #hear({ id, result, error }) {
        const waiting = this.#waiting.get(id);
        this.#waiting.delete(id);
        if (waiting) error ? waiting.lost(new Error(error.message)) : waiting.found(result);
    }

    send(method, params = {}) {
        this.#number += 1;
        const id = this.#number;
        this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.#session })}\0`);
        return new Promise((found, lost) => this.#waiting.set(id, { found, lost }));
    }

    async value(expression) {
        const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    async until(condition) {
        for (let waited = 0; waited < 200; waited += 1) {
            if (await this.value(`Boolean(${condition})`).catch(() => false)) return;
            await new Promise((next) => setTimeout(next, 100));
        }
        throw new Error(`never came true: ${condition}`);
    }

    async picture() {
        const { data } = await this.send("Page.captureScreenshot", { format: "png" });
        return Buffer.from(data, "base64");
    }
}
