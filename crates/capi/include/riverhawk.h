/*
 * Riverhawk: an awk to embed.
 *
 * Handles. `rh_program`, `rh_run` and the like are opaque. Each `_new` and whatever else returns a
 * handle says with which `_free` it is freed, once; every `_free` takes null. Where a handle is
 * const or pointed to, it still belongs to the caller afterwards. Null where a handle is asked for is
 * an error or nothing, never a crash.
 *
 * Texts are bytes and their number (`rh_text`), never NUL-terminated, and copied when they are kept.
 * `rh_text_of` makes one of a C string.
 *
 * Errors. A function that can fail takes an `rh_error **`; where it is not null, `*error` becomes
 * null or an error, which is the caller's to free.
 *
 * Callbacks are a struct of functions with a `context` that is passed to each, and a `drop` that is
 * called exactly once when the library does not need them any more. They must not leave by
 * `longjmp` or a C++ exception (which ends the process), and must not use the handle of the run that
 * calls them.
 *
 * Threads. An `rh_program`, `rh_cancel` and `rh_memory_files` may be used by several threads at once.
 * Every other handle may move between threads, and is used by one at a time. Runs share nothing but
 * their program, and the library has no state of its own: it reads no environment, installs no
 * handler of signals, and does not end the process.
 */

#ifndef RIVERHAWK_H
#define RIVERHAWK_H

// Made by cbindgen from the comments in crates/capi; not to be edited.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// What kind of error it is.
typedef enum {
  // An argument of the library's functions is wrong: null where that is not allowed, a name that
  // is not UTF-8, a number that no constant has, a handle that has been used up.
  RH_ERROR_KIND_ARGUMENT = 1,
  // The program does not compile.
  RH_ERROR_KIND_COMPILE = 2,
  // The run failed: what the program does is an error.
  RH_ERROR_KIND_RUN = 3,
  // `rh_cancel_cancel` ended the run.
  RH_ERROR_KIND_CANCELLED = 4,
  // The limit of time ended the run.
  RH_ERROR_KIND_TIME_LIMIT = 5,
  // Another limit ended the run, or there is no memory.
  RH_ERROR_KIND_LIMIT = 6,
  // A fault of the library. Handles that took part can be freed.
  RH_ERROR_KIND_PANIC = 7,
} rh_error_kind;

// What a value is.
typedef enum {
  // Never assigned: 0, and the empty text.
  RH_VALUE_KIND_UNSET = 0,
  // A number.
  RH_VALUE_KIND_NUMBER = 1,
  // A number that a double does not hold, as decimal digits.
  RH_VALUE_KIND_PRECISE = 2,
  // Text.
  RH_VALUE_KIND_TEXT = 3,
  // Text that was read: it is compared as a number if it looks like one.
  RH_VALUE_KIND_INPUT = 4,
  // An array.
  RH_VALUE_KIND_ARRAY = 5,
} rh_value_kind;

// What a program may be compiled for, for `rh_builder_option`.
typedef enum {
  // Arithmetic of any precision, as gawk's `-M`.
  RH_BUILDER_FLAG_BIGNUM = 1,
  // Integers are exact at any size, other numbers are doubles: for identifiers in JSON.
  RH_BUILDER_FLAG_EXACT_INTEGERS = 2,
  // Characters are grapheme clusters.
  RH_BUILDER_FLAG_GRAPHEMES = 3,
  // Characters are bytes.
  RH_BUILDER_FLAG_CHARACTERS_AS_BYTES = 4,
  // Warns of what is dubious: `rh_program_warning`, and the standard error of runs.
  RH_BUILDER_FLAG_LINT = 5,
} rh_builder_flag;

// Dialects of the language, for `rh_builder_dialect`.
typedef enum {
  // gawk's, with Riverhawk's additions: what a builder begins with.
  RH_DIALECT_GAWK = 0,
  // The awk of Bell Laboratories, without gawk's extensions.
  RH_DIALECT_TRADITIONAL = 1,
  // POSIX: also without anything else that the standard lacks.
  RH_DIALECT_POSIX = 2,
} rh_dialect;

// What input and output are, for `rh_run_input_format` and `rh_run_output_format`.
typedef enum {
  // Fields separated by commas, in double quotes where necessary.
  RH_FORMAT_CSV = 1,
  // Fields separated by tabs, with the escapes `\t`, `\n`, `\r` and `\\`.
  RH_FORMAT_TSV = 2,
  // A JSON value per line: members of an object, or elements of an array.
  RH_FORMAT_JSON_LINES = 3,
  // JSON values with any white space, or the elements of one array.
  RH_FORMAT_JSON = 4,
  // Of output alone: columns aligned for the eye.
  RH_FORMAT_TABLE = 5,
  // Of output alone: a table of Markdown.
  RH_FORMAT_MARKDOWN = 6,
  // Of output alone: a table of HTML.
  RH_FORMAT_HTML = 7,
} rh_format;

// What a run may be asked to do otherwise, for `rh_run_option`.
typedef enum {
  // The first record of each file names its columns.
  RH_RUN_FLAG_HEADER = 1,
  // As `RH_RUN_FLAG_HEADER`, and the output begins with a header.
  RH_RUN_FLAG_KEEP_HEADER = 2,
  // Rows that are not as they should be end the run.
  RH_RUN_FLAG_STRICT = 3,
  // Operands are files, even those that look like `variable=value`.
  RH_RUN_FLAG_ONLY_FILES = 4,
  // A byte order mark at the beginning of files is dropped.
  RH_RUN_FLAG_STRIP_BOM = 5,
  // Compressed input is read as it is.
  RH_RUN_FLAG_NO_DECOMPRESS = 6,
  // Files that the program names `.gz`, `.zst`, `.bz2`, `.xz` or `.lz4` are compressed.
  RH_RUN_FLAG_COMPRESS_OUTPUT = 7,
  // Input may have octal and hexadecimal numbers.
  RH_RUN_FLAG_NON_DECIMAL_DATA = 8,
  // Numbers have the decimal point of the locale that the run's environment names.
  RH_RUN_FLAG_USE_LC_NUMERIC = 9,
  // With `rh_run_jobs`, sums of fractions may differ in their last bits.
  RH_RUN_FLAG_RELAXED_SUMS = 10,
  // No machine code is made.
  RH_RUN_FLAG_NO_JIT = 11,
} rh_run_flag;

// An array of the program, in a call. Changes are seen by the program at once.
typedef struct rh_array rh_array;

// What a program is compiled with: made, changed, compiled once, freed with `rh_builder_free`.
//
// Functions that change it report nothing: the first of their errors is that of
// `rh_builder_compile`.
typedef struct rh_builder rh_builder;

// A call of a function: its arguments, and its result. An argument that is not there is as a variable
// that was never assigned: 0, and the empty text.
typedef struct rh_call rh_call;

// Ends runs from any thread. Freed with `rh_cancel_free`, at any time: runs keep what they need.
typedef struct rh_cancel rh_cancel;

// What went wrong. Freed with `rh_error_free`; texts are valid until then.
typedef struct rh_error rh_error;

// Files in memory, by name. Several threads may use them at the same time. Freed with
// `rh_memory_files_free`, at any time: runs keep what they need.
typedef struct rh_memory_files rh_memory_files;

// How a run ended. Freed with `rh_outcome_free`; texts and values are valid until then.
typedef struct rh_outcome rh_outcome;

// A compiled program, which any number of threads may use at the same time. Freed with
// `rh_program_free`, at any time: runs keep what they need.
typedef struct rh_program rh_program;

// What a program prints, line by line. One thread at a time uses it. Freed with `rh_records_free`.
typedef struct rh_records rh_records;

// What one run reads, writes, may do and may use up: made, changed, run once, freed with
// `rh_run_free`. At first: no input, what is printed is kept in the outcome, nothing else is
// permitted, nothing is limited.
//
// Functions that change it report nothing: the first of their errors is that of `rh_program_run`.
typedef struct rh_run rh_run;

// A value. One that a function made is freed with `rh_value_free`; one that is part of an outcome or
// an array belongs to that.
typedef struct rh_value rh_value;

// Bytes, usually of UTF-8 text; not NUL-terminated.
//
// A text that is given to a function is only read during the call. A text that a function returns
// belongs to the handle it was asked of, and its `bytes` are never null.
typedef struct {
  // May be null if `length` is 0.
  const uint8_t *bytes;
  // In bytes.
  size_t length;
} rh_text;

// One thing that is wrong with a program's text.
typedef struct {
  // In one line, without a place.
  rh_text message;
  // The name of the text; empty if the place is not known.
  rh_text source;
  // Counted from 1; 0 if the place is not known.
  size_t line;
  // In characters, counted from 1; 0 if the place is not known.
  size_t column;
  // What it says, whatever the words are: 101 for RH0101 of docs/errors.md; 0 if it has no code.
  uint32_t code;
} rh_diagnostic;

// Where a run reads from. It is used by one thread at a time, not always the same.
typedef struct {
  // Passed to the functions.
  void *context;
  // Writes at most `capacity` bytes to `bytes` and returns how many; 0 is the end, and a negative
  // number an error: -errno.
  ptrdiff_t (*read)(void *context, uint8_t *bytes, size_t capacity);
  // Called once when the reader is no longer needed, also if the function that it was given to
  // failed. May be null.
  void (*drop)(void *context);
} rh_reader;

// Where a run writes to. It is used by one thread at a time, not always the same.
typedef struct {
  // Passed to the functions.
  void *context;
  // Takes all `length` bytes, which it must not change or keep. Returns 0, or errno.
  int32_t (*write)(void *context, const uint8_t *bytes, size_t length);
  // Passes on what the writer has kept, at `fflush` and `close`. Returns 0, or errno. May be null.
  int32_t (*flush)(void *context);
  // Called once when the writer is no longer needed, also if the function that it was given to
  // failed. May be null.
  void (*drop)(void *context);
} rh_writer;

// What the names of files in a program mean. Commands and connections are refused.
//
// The functions are called by the thread that runs the program. `-`, `/dev/stdin`, `/dev/stdout` and
// `/dev/stderr` are the run's own and never asked for.
typedef struct {
  // Passed to the functions.
  void *context;
  // Opens a file to read by filling in `reader`, which is all zero before. Returns 0, or errno.
  int32_t (*open)(void *context, rh_text name, rh_reader *reader);
  // Opens a file to write, at its end if `append` is not 0 and emptied otherwise, by filling in
  // `writer`, which is all zero before. Returns 0, or errno. May be null: nothing can be written.
  int32_t (*create)(void *context, rh_text name, int32_t append, rh_writer *writer);
  // Called once when the files are no longer needed, also if the function that they were given to
  // failed. May be null.
  void (*drop)(void *context);
} rh_files;

// A function that programs call. Threads that run the program call it at the same time.
typedef struct {
  // Passed to the functions.
  void *context;
  // Reads the arguments of `call` and gives it a result or an error; without either the result is
  // as a variable that was never assigned. `call`, and what was asked of it, is valid until it
  // returns.
  void (*call)(void *context, rh_call *call);
  // Called once when the function is no longer needed, also if it could not be added. May be null.
  void (*drop)(void *context);
} rh_function;

// Who is told how far a run has read. The thread that runs the program calls it.
typedef struct {
  // Passed to the functions.
  void *context;
  // So many bytes, after decompression, and records have been read.
  void (*report)(void *context, uint64_t bytes, uint64_t records);
  // Called once when it is no longer needed, also if the function that it was given to failed. May
  // be null.
  void (*drop)(void *context);
} rh_progress;

// Who gets a run's warnings. The thread that runs the program calls it.
typedef struct {
  // Passed to the functions.
  void *context;
  // A warning, which is valid during the call, with the file and the number of the record that the
  // run was working on: an empty name for the standard input, 0 before the first record.
  void (*report)(void *context, rh_diagnostic warning, rh_text file, uint64_t record);
  // Called once when it is no longer needed, also if the function that it was given to failed. May
  // be null.
  void (*drop)(void *context);
} rh_warnings;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, such as "0.1.0".
rh_text rh_version(void);

// A handle for `rh_run_cancel`. Freed with `rh_cancel_free`.
rh_cancel *rh_cancel_new(void);

// Ends all runs that were given the handle, and those that will be. From any thread, but not from a
// handler of signals.
void rh_cancel_cancel(const rh_cancel *cancel);

// Frees a handle; null is allowed.
void rh_cancel_free(rh_cancel *cancel);

// The kind of an error.
rh_error_kind rh_error_kind_of(const rh_error *error);

// What is wrong, in one line without a place; of several things, the first.
rh_text rh_error_message(const rh_error *error);

// The name of the program's text that the error is in; empty if it has no place.
rh_text rh_error_source(const rh_error *error);

// The line in that text, counted from 1; 0 if the error has no place.
size_t rh_error_line(const rh_error *error);

// The character in that line, counted from 1; 0 if the error has no place.
size_t rh_error_column(const rh_error *error);

// How many things are wrong with a program that does not compile; 1 for other errors.
size_t rh_error_count(const rh_error *error);

// One of the things that are wrong, counted from 0 in the order of the text; an empty one beyond the
// last.
rh_diagnostic rh_error_diagnostic(const rh_error *error,
                                  size_t at);

// The whole error as it is drawn for a person: messages, places, the lines with carets.
rh_text rh_error_drawn(const rh_error *error);

// The number of the record that was being worked on; 0 before the first.
uint64_t rh_error_record(const rh_error *error);

// The file of that record, `-` for the standard input; empty before the first.
rh_text rh_error_file(const rh_error *error);

// What the run had done until the error, such as its output; null if there was no run. It belongs to
// the error.
const rh_outcome *rh_error_outcome(const rh_error *error);

// Frees an error; null is allowed.
void rh_error_free(rh_error *error);

// The number of arguments.
size_t rh_call_count(const rh_call *call);

// An argument, counted from 0, as a number: of text, its numeric beginning.
double rh_call_number(const rh_call *call, size_t at);

// An argument as text, borrowed where it is, also from the record; only numbers are written out. It is
// valid until the callback returns or changes an array.
rh_text rh_call_text(rh_call *call,
                     size_t at);

// Whether an argument compares as a number: a number, input that looks like one, or a variable that was
// never assigned.
bool rh_call_is_number(const rh_call *call,
                       size_t at);

// An argument that was declared to be an array; null for others. It belongs to the call.
const rh_array *rh_call_array(rh_call *call, size_t at);

// The call's result is a number.
void rh_call_return_number(rh_call *call, double number);

// The call's result is a copy of a text.
void rh_call_return_text(rh_call *call, rh_text text);

// The call's result is a copy of a value. False, and nothing changes, if it is an array or null.
bool rh_call_return_value(rh_call *call, const rh_value *value);

// The call fails, and with it the run: a copy of the message is in its error, which has the place of
// the call.
void rh_call_fail(rh_call *call,
                  rh_text message);

// The number of elements.
size_t rh_array_count(const rh_array *array);

// A copy of the element under a key, to be freed with `rh_value_free`; null if there is none.
rh_value *rh_array_get(const rh_array *array, rh_text key);

// A copy of the whole array, to be freed with `rh_value_free`; null if `array` is.
rh_value *rh_array_copy(const rh_array *array);

// Assigns a copy of a value to the element under a key. False if the value is an array, or an argument
// is null.
bool rh_array_set(const rh_array *array,
                  rh_text key,
                  const rh_value *value);

// Deletes the element under a key; false if there was none.
bool rh_array_remove(const rh_array *array, rh_text key);

// Deletes all elements.
void rh_array_clear(const rh_array *array);

// No files yet. Freed with `rh_memory_files_free`.
rh_memory_files *rh_memory_files_new(void);

// Puts a copy of `text` there, in place of a file of the same name.
void rh_memory_files_insert(const rh_memory_files *files, rh_text name, rh_text text);

// A copy of what a file holds, to be freed with `rh_value_free`; null if there is none.
rh_value *rh_memory_files_get(const rh_memory_files *files, rh_text name);

// Removes a file; false if there was none.
bool rh_memory_files_remove(const rh_memory_files *files, rh_text name);

// Frees the handle; null is allowed.
void rh_memory_files_free(rh_memory_files *files);

// The exit status: 0, or what the program says by `exit`.
uint8_t rh_outcome_status(const rh_outcome *outcome);

// What was printed; empty if `rh_run_stdout` took it.
rh_text rh_outcome_stdout(const rh_outcome *outcome);

// What was printed to the standard error; empty if `rh_run_stderr` took it.
rh_text rh_outcome_stderr(const rh_outcome *outcome);

// Records read of the main input.
uint64_t rh_outcome_records(const rh_outcome *outcome);

// A variable as the program left it; null if `rh_run_keep_variables` did not ask for them or the
// program does not name it. It belongs to the outcome.
const rh_value *rh_outcome_variable(const rh_outcome *outcome, rh_text name);

// How many variables there are.
size_t rh_outcome_variable_count(const rh_outcome *outcome);

// A variable by its number, counted from 0: its value, and its name unless `name` is null. Null
// beyond the last. They belong to the outcome.
const rh_value *rh_outcome_variable_at(const rh_outcome *outcome, size_t at, rh_text *name);

// Frees an outcome; null is allowed. One of `rh_error_outcome` is freed with its error instead.
void rh_outcome_free(rh_outcome *outcome);

// Compiles a program of one text. Null if it does not compile.
//
// `error` may be null; otherwise `*error` becomes null, or an error that is freed with
// `rh_error_free`. Freed with `rh_program_free`.
rh_program *rh_program_compile(rh_text text, rh_error **error);

// Frees a program; null is allowed.
void rh_program_free(rh_program *program);

// No texts, gawk's dialect, nothing to include. Freed with `rh_builder_free`.
rh_builder *rh_builder_new(void);

// Adds a copy of a text; several are one program. Messages call it by `name`, which is UTF-8.
void rh_builder_source(rh_builder *builder, rh_text name, rh_text text);

// The dialect: one of `rh_dialect`.
void rh_builder_dialect(rh_builder *builder, uint32_t dialect);

// Compiles for this: one of `rh_builder_flag`.
void rh_builder_option(rh_builder *builder, uint32_t flag);

// How many warnings there are about a program's text.
size_t rh_program_warning_count(const rh_program *program);

// One of the warnings, counted from 0; an empty one beyond the last. It belongs to the program.
rh_diagnostic rh_program_warning(const rh_program *program, size_t at);

// Where `@include` reads files from: callbacks, which are the builder's from now on.
void rh_builder_includes(rh_builder *builder, rh_files files);

// Where `@include` reads files from: files in memory.
void rh_builder_include_memory_files(rh_builder *builder, const rh_memory_files *files);

// Adds a function that the program may call, with from `minimum` to `maximum` arguments (`SIZE_MAX` for
// any number). Where bit n of `arrays` is set, argument n, counted from 0, is an array; only the first
// 16 can be.
//
// The callbacks are the builder's from now on, and then the program's. A name that the language or the
// program has already is an error of compilation, as is a call with another number of arguments.
void rh_builder_function(rh_builder *builder,
                         rh_text name,
                         size_t minimum,
                         size_t maximum,
                         uint16_t arrays,
                         rh_function function);

// Compiles the program. Null if an argument of the builder was wrong or the program does not compile.
// The builder is used up in any case; it is still to be freed.
//
// `error` as for `rh_program_compile`. Freed with `rh_program_free`.
rh_program *rh_builder_compile(rh_builder *builder,
                               rh_error **error);

// Frees a builder; null is allowed.
void rh_builder_free(rh_builder *builder);

// Begins a run whose output is pulled: the program runs on a thread of its own, at most two blocks of
// 64 KiB ahead. Null if an argument was wrong.
//
// The run is used up in any case; it is still to be freed. Its callbacks are called and dropped by that
// thread.
//
// `error` as for `rh_program_run`. Freed with `rh_records_free`.
rh_records *rh_program_records(const rh_program *program,
                               rh_run *run,
                               rh_error **error);

// The next line, without its newline; it is valid until the next call. False at the end, and if the
// run failed.
//
// `error` may be null; otherwise `*error` becomes null, or an error that is freed with
// `rh_error_free`.
bool rh_records_next(rh_records *records, rh_text *line, rh_error **error);

// Frees the records, and ends the program if it still runs; null is allowed.
void rh_records_free(rh_records *records);

// Runs a program to its end on this thread. Null if the run failed.
//
// The run is used up in any case; it is still to be freed. Its callbacks are dropped before the
// function returns.
//
// `error` may be null; otherwise `*error` becomes null, or an error that is freed with
// `rh_error_free`; `rh_error_outcome` of it has what was printed until then. Freed with
// `rh_outcome_free`.
rh_outcome *rh_program_run(const rh_program *program, rh_run *run, rh_error **error);

// A run as described above. Freed with `rh_run_free`.
rh_run *rh_run_new(void);

// The standard input: a copy of a text.
void rh_run_input(rh_run *run, rh_text text);

// The standard input: callbacks, which are the run's from now on. It is read in blocks of up to
// 256 KiB when the program needs more.
void rh_run_stdin(rh_run *run, rh_reader reader);

// The standard output: callbacks, which are the run's from now on. They get blocks of up to 64 KiB.
void rh_run_stdout(rh_run *run, rh_writer writer);

// The standard error: callbacks, which are the run's from now on.
void rh_run_stderr(rh_run *run, rh_writer writer);

// What names in the program mean: callbacks, which are the run's from now on. They decide instead of
// the permissions.
void rh_run_files(rh_run *run,
                  rh_files files);

// What names in the program mean: files in memory, which the program reads and writes.
void rh_run_memory_files(rh_run *run, const rh_memory_files *files);

// What names in the program mean: the files below a directory, which are only read unless
// `may_write`. An error if it cannot be opened.
void rh_run_rooted_files(rh_run *run, rh_text root, bool may_write);

// Adds an operand, the next of `ARGV[1]` and on: a file to read, `variable=value`, or `-` for the
// standard input. It may be read whatever is permitted.
void rh_run_operand(rh_run *run, rh_text operand);

// Adds a variable of `ENVIRON` and of the environment of commands.
void rh_run_environment(rh_run *run, rh_text name, rh_text value);

// Sets a variable before the program begins, to a copy of the value.
void rh_run_variable(rh_run *run, rh_text name, const rh_value *value);

// Sets a variable to a number.
void rh_run_number(rh_run *run, rh_text name, double number);

// Sets a variable to a copy of a text. Nothing in it is special, as it would be in `-v`.
void rh_run_text(rh_run *run, rh_text name, rh_text text);

// The outcome has the variables.
void rh_run_keep_variables(rh_run *run);

// What input is: one of the first four of `rh_format`.
void rh_run_input_format(rh_run *run, uint32_t format);

// What `print` writes: one of `rh_format`.
void rh_run_output_format(rh_run *run, uint32_t format);

// Input is CSV with this byte between fields: ASCII, no quote and no end of a line.
void rh_run_input_csv(rh_run *run, uint8_t separator);

// Runs otherwise: one of `rh_run_flag`.
void rh_run_option(rh_run *run, uint32_t flag);

// The encoding of what is written, if not UTF-8: a name of the WHATWG's standard, and behind it
// `:replace` for characters that it lacks, which are an error otherwise. `ENCODING` as a variable says
// what is read.
void rh_run_output_encoding(rh_run *run,
                            rh_text name);

// Threads that run pieces of the input, 0 for as many as there are cores; 1 at first. Callbacks of
// readers are then called by another thread than that of the run.
void rh_run_jobs(rh_run *run, size_t jobs);

// The time that it is for the whole run, in seconds since 1970; not before that.
void rh_run_clock(rh_run *run, double seconds);

// What `rand` begins with until the program calls `srand`.
void rh_run_seed(rh_run *run, uint32_t seed);

// Calls back with what has been read of the main input, when so many milliseconds have passed since
// the last call, after blocks of up to 256 KiB. The callback is the run's from now on.
void rh_run_progress(rh_run *run, uint64_t milliseconds, rh_progress progress);

// Calls back with each warning of the run, which is also written to the standard error. The callback
// is the run's from now on.
void rh_run_warnings(rh_run *run,
                     rh_warnings warnings);

// Files at or below this path may be read. It is looked up now; a path that does not exist permits
// nothing.
void rh_run_allow_read(rh_run *run, rh_text below);

// Files at or below this path may be written. As `rh_run_allow_read`.
void rh_run_allow_write(rh_run *run, rh_text below);

// Commands may be started, which then do whatever the process may do.
void rh_run_allow_commands(rh_run *run);

// Connections may be made.
void rh_run_allow_network(rh_run *run);

// Everything that the process may do is permitted: for programs that are trusted as it is.
void rh_run_allow_all(rh_run *run);

// Limits the time that passes. A thread looks at the clock.
void rh_run_limit_time(rh_run *run, uint64_t milliseconds);

// Limits the bytes that the run's thread holds in the library, beyond what it holds when the run
// begins. What callbacks allocate is not counted.
void rh_run_limit_memory(rh_run *run, size_t bytes);

// Limits the bytes that are printed, to all outputs together.
void rh_run_limit_output(rh_run *run, size_t bytes);

// Limits the bytes of a record.
void rh_run_limit_record(rh_run *run, size_t bytes);

// Limits the bytes that a compressed file may become: at first 1 GiB, or 10,000 times its size.
void rh_run_limit_decompressed(rh_run *run, uint64_t bytes);

// Limits the records of the main input.
void rh_run_limit_records(rh_run *run, uint64_t records);

// Limits the turns of loops and calls of functions, which are the same in every run.
void rh_run_limit_steps(rh_run *run, uint64_t steps);

// Limits the functions that have not returned.
void rh_run_limit_call_depth(rh_run *run, size_t calls);

// `rh_cancel_cancel` ends the run, from any thread.
void rh_run_cancel(rh_run *run, const rh_cancel *cancel);

// Frees a run, with its callbacks if it has not been run; null is allowed.
void rh_run_free(rh_run *run);

// A number. Freed with `rh_value_free`.
rh_value *rh_value_number(double number);

// A copy of a text, compared as text. Freed with `rh_value_free`.
rh_value *rh_value_text(rh_text text);

// A copy of a text, compared as a number if it looks like one, as input is. Freed with
// `rh_value_free`.
rh_value *rh_value_input(rh_text text);

// An empty array. Freed with `rh_value_free`.
rh_value *rh_value_array(void);

// Adds an element to an array: a copy of `element`, under a copy of `key`. A key that is added twice
// has the later element in the program. False if `array` is not an array or an argument is null.
bool rh_value_add(rh_value *array,
                  rh_text key,
                  const rh_value *element);

// What a value is; `RH_VALUE_KIND_UNSET` for null.
rh_value_kind rh_value_kind_of(const rh_value *value);

// A value as a number, as the language reads it: a text's numeric beginning, 0 where there is none
// and for arrays and null.
double rh_value_to_number(const rh_value *value);

// The bytes of a value that is text, input or a precise number, without a copy: `text` belongs to the
// value. False, and an empty text, for other values and null.
bool rh_value_as_text(const rh_value *value,
                      rh_text *text);

// Writes any value as text: numbers as `%d` or `%.6g` do, nothing for an array. At most `capacity`
// bytes are written to `buffer`, which may be null if that is 0; no NUL is added. Returns the
// length of the whole text.
//
// # Safety
// `buffer` is null, or has room for `capacity` bytes and is no part of the value.
size_t rh_value_write(const rh_value *value, uint8_t *buffer, size_t capacity);

// The number of an array's elements; 0 for other values and null.
size_t rh_value_count(const rh_value *value);

// An element of an array by its number, counted from 0 in the order of `for (key in array)`, and its
// key unless `key` is null. Null beyond the last. They belong to the array.
const rh_value *rh_value_at(const rh_value *value,
                            size_t at,
                            rh_text *key);

// The element of an array under a key; null if there is none. The keys are looked at one by one. It
// belongs to the array.
const rh_value *rh_value_get(const rh_value *value, rh_text key);

// Frees a value that a function made; null is allowed.
void rh_value_free(rh_value *value);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

// A C string as a text, which points to it.
static inline rh_text rh_text_of(const char *string) {
  rh_text text = {(const uint8_t *)string, string ? strlen(string) : 0};
  return text;
}

#endif /* RIVERHAWK_H */
