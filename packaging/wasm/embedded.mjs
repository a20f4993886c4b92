// Runs a program in the C library that was built for wasm32-unknown-unknown, which asks its host for nothing:
// node packaging/wasm/embedded.mjs MODULE PROGRAM <INPUT
import { readFileSync } from "node:fs";
import { Library } from "../../playground/library.js";

const [path, program] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(path));
const imports = WebAssembly.Module.imports(module);
if (imports.length) throw new Error(`it asks for ${imports.map(({ name }) => name).join(", ")}`);
const library = await Library.of(module);
const { output, messages, status } = library.run({ program, input: readFileSync(0, "utf8") });
process.stdout.write(output);
process.stderr.write(messages);
process.exitCode = status;
