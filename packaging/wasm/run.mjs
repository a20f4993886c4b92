// Runs a WebAssembly command under Node as if it were the machine's own: `node run.mjs rhawk.wasm ARGUMENTS`.
// It sees all files, the environment, the standard streams, and the folder that it is started in (PWD).
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [file, ...args] = process.argv.slice(2);
const wasi = new WASI({
    version: "preview1",
    args: ["rhawk", ...args],
    env: { ...process.env, PWD: process.cwd() },
    preopens: { "/": "/" },
});
const module = await WebAssembly.compile(readFileSync(file));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
