// Runs the engine away from the page, which stays usable meanwhile and may end a run by ending this worker.
import { Library } from "./library.js";

const compiled = WebAssembly.compileStreaming(fetch("./riverhawk.wasm"));
const start = () => compiled.then((module) => Library.of(module));
let library = start();

library.then(
    (engine) => postMessage({ ready: engine.version }),
    (error) => postMessage({ broken: String(error) }),
);

onmessage = async ({ data: { number, ask, request } }) => {
    try {
        const engine = await library;
        const began = performance.now();
        const result = ask === "run" ? engine.run(request) : engine.check(request.program);
        postMessage({ number, result, milliseconds: performance.now() - began });
    } catch (error) {
        // What trapped may have left anything behind: the next question gets an engine of its own.
        library = start();
        postMessage({ number, broken: String(error) });
    }
};
