/* Filters lines by an awk program: what the rules allow is printed with a number.
 *
 *     cc filter.c $(pkg-config --cflags --libs riverhawk) -o filter
 */
#include <errno.h>
#include <riverhawk.h>
#include <stdio.h>
#include <stdlib.h>

/* Gives the program's input a few bytes at a time. */
struct lines {
  const char *text;
  size_t length, at;
};

static ptrdiff_t read_lines(void *context, uint8_t *bytes, size_t capacity) {
  struct lines *lines = context;
  size_t count = lines->length - lines->at;
  if (count > 5) count = 5;
  if (count > capacity) count = capacity;
  memcpy(bytes, lines->text + lines->at, count);
  lines->at += count;
  return (ptrdiff_t)count;
}

static int32_t print(void *context, const uint8_t *bytes, size_t length) {
  FILE *file = context;
  return fwrite(bytes, 1, length, file) == length ? 0 : EIO;
}

/* The only file that there is. */
static const char rules[] = "tea\nmilk\n";

static ptrdiff_t read_rules(void *context, uint8_t *bytes, size_t capacity) {
  size_t *at = context, count = sizeof rules - 1 - *at;
  if (count > capacity) count = capacity;
  memcpy(bytes, rules + *at, count);
  *at += count;
  return (ptrdiff_t)count;
}

static int32_t open_rules(void *context, rh_text name, rh_reader *reader) {
  (void)context;
  if (name.length != 5 || memcmp(name.bytes, "rules", 5) != 0) return ENOENT;
  reader->context = calloc(1, sizeof(size_t));
  if (!reader->context) return ENOMEM;
  reader->read = read_rules;
  reader->drop = free;
  return 0;
}

/* vat(price): the price with taxes, by the rate that the context is. */
static void vat(void *context, rh_call *call) {
  const double *rate = context;
  if (!rh_call_is_number(call, 0)) {
    rh_call_fail(call, rh_text_of("a price is a number"));
    return;
  }
  rh_call_return_number(call, rh_call_number(call, 0) * (1 + *rate));
}

static void report(rh_error *error) {
  rh_text drawn = rh_error_drawn(error);
  fprintf(stderr, "%.*s\n", (int)drawn.length, (const char *)drawn.bytes);
  rh_error_free(error);
}

int main(void) {
  rh_error *error;
  double rate = 0.5;
  rh_builder *builder = rh_builder_new();
  rh_builder_source(builder, rh_text_of("filter.awk"),
                    rh_text_of("BEGIN { while ((getline name < \"rules\") > 0) allowed[name] }\n"
                               "$1 in allowed { print ++n \": \" $0; total += vat($2 * price) }\n"));
  rh_builder_function(builder, rh_text_of("vat"), 1, 1, 0, (rh_function){&rate, vat, NULL});
  rh_program *program = rh_builder_compile(builder, &error);
  rh_builder_free(builder);
  if (!program) {
    report(error);
    return 1;
  }

  const char text[] = "tea 3\nwine 2\nmilk 1\n";
  struct lines *lines = malloc(sizeof *lines);
  if (!lines) return 1;
  *lines = (struct lines){text, sizeof text - 1, 0};

  rh_run *run = rh_run_new();
  rh_run_stdin(run, (rh_reader){lines, read_lines, free});
  rh_run_stdout(run, (rh_writer){stdout, print, NULL, NULL});
  rh_run_files(run, (rh_files){NULL, open_rules, NULL, NULL});
  rh_run_number(run, rh_text_of("price"), 1);
  rh_run_keep_variables(run);
  rh_outcome *outcome = rh_program_run(program, run, &error);
  rh_run_free(run);
  if (!outcome) {
    report(error);
    rh_program_free(program);
    return 1;
  }
  printf("total %g of %u records\n",
         rh_value_to_number(rh_outcome_variable(outcome, rh_text_of("total"))),
         (unsigned)rh_outcome_records(outcome));
  rh_outcome_free(outcome);
  rh_program_free(program);

  /* An error is data: */
  program = rh_program_compile(rh_text_of("{ print\n  prnt( }"), &error);
  if (program) return 1;
  rh_text message = rh_error_message(error), source = rh_error_source(error);
  printf("%.*s:%zu:%zu: %.*s\n", (int)source.length, (const char *)source.bytes,
         rh_error_line(error), rh_error_column(error), (int)message.length,
         (const char *)message.bytes);
  rh_error_free(error);
  return 0;
}
