// The C library (`riverhawk.h`) as WebAssembly, for a page or for Node. Texts go in and come out as JavaScript strings.
//
// A structure of C that is passed or returned by value is, in WebAssembly, a pointer to one.

const PAGE = 65536;
const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

// Numbers of `rh_format`, `rh_builder_flag` and `rh_run_flag`.
export const FORMATS = { csv: 1, tsv: 2, jsonl: 3, json: 4 };
const LINT = 5;
const HEADER = 1;

const PROGRAM_NAME = "program";

export class Library {
    #exports;
    #arena;

    // `module` is a WebAssembly.Module of the library, made for wasm32-wasip1.
    static async of(module) {
        const library = new Library();
        const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system(() => library.#exports.memory) });
        library.#exports = instance.exports;
        instance.exports._initialize?.();
        library.#arena = new Arena(instance.exports.memory);
        return library;
    }

    get version() {
        return this.#scope((c, arena) => this.#returned(arena, (to) => c.rh_version(to)));
    }

    // What is wrong with a program: `{ errors, warnings }`, each of `{ message, line, column, code }`, counted from 1.
    check(program) {
        return this.#scope((c, arena) => {
            const { handle, errors, warnings } = this.#compile(c, arena, program, [LINT]);
            c.rh_program_free(handle);
            return { errors, warnings };
        });
    }

    // Runs a program over a text: `{ status, output, messages, errors }`. What is dubious is `check`'s to say.
    //
    // `format` is the name of a format or "text", `header` says whether the first record names the columns, `separator`
    // becomes FS unless it is empty, `now` is the time in seconds.
    run({ program, input, format = "text", header = false, separator = "", now = Date.now() / 1000 }) {
        return this.#scope((c, arena) => {
            const { handle, errors, drawn } = this.#compile(c, arena, program, []);
            if (!handle) return { status: 1, output: "", messages: drawn, errors };
            const run = c.rh_run_new();
            c.rh_run_input(run, arena.text(input));
            c.rh_run_clock(run, now);
            if (format in FORMATS) c.rh_run_input_format(run, FORMATS[format]);
            if (header) c.rh_run_option(run, HEADER);
            if (separator) c.rh_run_text(run, arena.text("FS"), arena.text(separator));
            const failure = arena.pointer();
            const outcome = c.rh_program_run(handle, run, failure);
            const error = arena.word(failure);
            const ended = error ? c.rh_error_outcome(error) : outcome;
            const of = (text) => (ended ? this.#returned(arena, (to) => text(to, ended)) : "");
            let messages = of(c.rh_outcome_stderr);
            if (error) messages += this.#returned(arena, (to) => c.rh_error_drawn(to, error));
            const result = {
                status: error ? 2 : c.rh_outcome_status(outcome),
                output: of(c.rh_outcome_stdout),
                messages,
                errors: error ? this.#diagnostics(arena, c.rh_error_count(error), (to, at) => c.rh_error_diagnostic(to, error, at)) : [],
            };
            c.rh_outcome_free(outcome);
            c.rh_error_free(error);
            c.rh_run_free(run);
            c.rh_program_free(handle);
            return result;
        });
    }

    #compile(c, arena, program, options) {
        const builder = c.rh_builder_new();
        c.rh_builder_source(builder, arena.text(PROGRAM_NAME), arena.text(program));
        options.forEach((option) => c.rh_builder_option(builder, option));
        const failure = arena.pointer();
        const handle = c.rh_builder_compile(builder, failure);
        c.rh_builder_free(builder);
        const error = arena.word(failure);
        const errors = error ? this.#diagnostics(arena, c.rh_error_count(error), (to, at) => c.rh_error_diagnostic(to, error, at)) : [];
        const drawn = error ? this.#returned(arena, (to) => c.rh_error_drawn(to, error)) : "";
        c.rh_error_free(error);
        const warnings = handle
            ? this.#diagnostics(arena, c.rh_program_warning_count(handle), (to, at) => c.rh_program_warning(to, handle, at))
            : [];
        return { handle, errors, warnings, drawn };
    }

    #diagnostics(arena, count, get) {
        return Array.from({ length: count }, (_, at) => {
            // Two texts of a pointer and a length, then line, column and code.
            const to = arena.words(7);
            get(to, at);
            const [line, column, code] = [4, 5, 6].map((word) => arena.word(to + 4 * word));
            return { message: arena.string(to), line, column, code };
        });
    }

    #returned(arena, get) {
        const to = arena.words(2);
        get(to);
        return arena.string(to);
    }

    #scope(work) {
        this.#arena.clear();
        return work(this.#exports, this.#arena);
    }
}

// Memory for arguments. It is grown by this side, so the library's allocator never takes it, and used anew for each call.
class Arena {
    #memory;
    #start = 0;
    #end = 0;
    #next = 0;

    constructor(memory) {
        this.#memory = memory;
    }

    clear() {
        this.#next = this.#start;
    }

    // The address of so many bytes, a multiple of 8.
    bytes(count) {
        const rounded = (count + 7) & ~7;
        if (this.#next + rounded > this.#end) {
            const pages = Math.ceil(rounded / PAGE) + 1;
            this.#start = this.#next = this.#memory.grow(pages) * PAGE;
            this.#end = this.#start + pages * PAGE;
        }
        const at = this.#next;
        this.#next += rounded;
        return at;
    }

    words(count) {
        const at = this.bytes(4 * count);
        new Uint32Array(this.#memory.buffer, at, count).fill(0);
        return at;
    }

    pointer() {
        return this.words(1);
    }

    word(at) {
        return new DataView(this.#memory.buffer).getUint32(at, true);
    }

    // The address of an `rh_text`.
    text(string) {
        const bytes = utf8.encode(string);
        const at = this.bytes(bytes.length);
        const text = this.words(2);
        new Uint8Array(this.#memory.buffer, at, bytes.length).set(bytes);
        new Uint32Array(this.#memory.buffer, text, 2).set([at, bytes.length]);
        return text;
    }

    // What an `rh_text` at this address says. Bytes that are not UTF-8 become U+FFFD.
    string(text) {
        return fromUtf8.decode(new Uint8Array(this.#memory.buffer, this.word(text), this.word(text + 4)).slice());
    }
}

// What the library asks of its system: time, random bytes, and a place for the words of a panic. It has no files.
function system(memory) {
    const SUCCESS = 0;
    const NO_SUCH_DESCRIPTOR = 8;
    const NOT_SUPPORTED = 52;
    const view = () => new DataView(memory().buffer);
    const nothing = (count, size) => {
        view().setUint32(count, 0, true);
        view().setUint32(size, 0, true);
        return SUCCESS;
    };
    const known = {
        clock_time_get(clock, _precision, to) {
            const milliseconds = clock === 0 ? Date.now() : performance.now();
            view().setBigUint64(to, BigInt(Math.round(milliseconds * 1e6)), true);
            return SUCCESS;
        },
        random_get(to, count) {
            crypto.getRandomValues(new Uint8Array(memory().buffer, to, count));
            return SUCCESS;
        },
        fd_write(descriptor, parts, count, written) {
            if (descriptor !== 2) return NO_SUCH_DESCRIPTOR;
            let total = 0;
            for (let part = parts; part < parts + 8 * count; part += 8) {
                const [at, length] = [view().getUint32(part, true), view().getUint32(part + 4, true)];
                console.error(fromUtf8.decode(new Uint8Array(memory().buffer, at, length)));
                total += length;
            }
            view().setUint32(written, total, true);
            return SUCCESS;
        },
        environ_sizes_get: nothing,
        environ_get: () => SUCCESS,
        args_sizes_get: nothing,
        args_get: () => SUCCESS,
        sched_yield: () => SUCCESS,
        fd_prestat_get: () => NO_SUCH_DESCRIPTOR,
        proc_exit(status) {
            throw new Error(`the engine ended with status ${status}`);
        },
    };
    return new Proxy(known, { get: (calls, name) => calls[name] ?? (() => NOT_SUPPORTED) });
}
