// Tests the colours as VS Code computes them: each row is a line, and pieces of it with the end of their scope.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import assert from "node:assert/strict";

const require = createRequire(import.meta.url);
const { Registry, parseRawGrammar } = require("vscode-textmate");
const { loadWASM, OnigScanner, OnigString } = require("vscode-oniguruma");

await loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
const file = new URL("../syntaxes/awk.tmLanguage.json", import.meta.url);
const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner: (sources) => new OnigScanner(sources), createOnigString: (text) => new OnigString(text) }),
    loadGrammar: async () => parseRawGrammar(readFileSync(file, "utf8"), "awk.tmLanguage.json"),
});
const grammar = await registry.loadGrammar("source.awk");

const ROWS = [
    ['/a[/]b/ { n += $1 / 2 / m }', { "a": "string.regexp", "$": "operator.field", "2": "constant.numeric" }],
    ['$2 ~ /x\\/y/ && !/z/ { print "a\\"b" }', { "x": "string.regexp", "\\/": "character.escape", "z": "string.regexp", "print": "keyword.control", "\\\"": "character.escape" }],
    ["function shop::price(item) { return item }", { "function": "storage.type", "shop::price": "name.function", "return": "keyword.control" }],
    ['@include "lib" # why', { "@include": "directive", "lib": "quoted.double", "# why": "comment" }],
    ['{ print @"town", NF, length($0), text::width($0) }', { "town": "other.column", "NF": "variable.language", "length": "support.function", "text": "name.namespace", "width": "name.function" }],
    ['BEGIN { printf "%-6s %3d\\n", x, 0x1F }', { "BEGIN": "control.pattern", "%-6s": "placeholder", "\\n": "character.escape", "0x1F": "constant.numeric" }],
];

for (const [line, wanted] of ROWS) {
    const { tokens } = grammar.tokenizeLine(line, null);
    const found = tokens.map(({ startIndex, endIndex, scopes }) => [line.slice(startIndex, endIndex).trim(), scopes.at(-1)]);
    for (const [text, scope] of Object.entries(wanted)) {
        const scopes = found.filter(([piece]) => piece === text).map(([, name]) => name);
        assert.ok(scopes.some((name) => name.includes(scope)), `${line}: ${text} is ${scopes.join() || JSON.stringify(found)}, not ${scope}`);
    }
}
console.log(`ok: ${ROWS.length} lines`);
