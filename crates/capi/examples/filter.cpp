// A wrapper of a few lines: handles that free themselves, errors as exceptions.
//
//     c++ -std=c++17 filter.cpp $(pkg-config --cflags --libs riverhawk) -o filter
#include <cstdint>
#include <iostream>
#include <memory>
#include <riverhawk.h>
#include <stdexcept>
#include <string>
#include <string_view>

namespace awk {

template <auto function>
struct Free {
  template <class T>
  void operator()(T *handle) const { function(handle); }
};

using Program = std::unique_ptr<rh_program, Free<rh_program_free>>;
using Run = std::unique_ptr<rh_run, Free<rh_run_free>>;
using Outcome = std::unique_ptr<rh_outcome, Free<rh_outcome_free>>;
using Records = std::unique_ptr<rh_records, Free<rh_records_free>>;
using Error = std::unique_ptr<rh_error, Free<rh_error_free>>;

rh_text text(std::string_view view) {
  return {reinterpret_cast<const std::uint8_t *>(view.data()), view.size()};
}

std::string_view view(rh_text text) {
  return {reinterpret_cast<const char *>(text.bytes), text.length};
}

void check(rh_error *error) {
  if (!error) return;
  Error owned(error);
  throw std::runtime_error(std::string(view(rh_error_message(error))));
}

Program compile(std::string_view source) {
  rh_error *error;
  Program program(rh_program_compile(text(source), &error));
  check(error);
  return program;
}

}  // namespace awk

int main() {
  try {
    auto words = awk::compile("{ for (i = 1; i <= NF; i++) print length($i), $i }");

    rh_error *error;
    awk::Run run(rh_run_new());
    rh_run_input(run.get(), awk::text("a bb\nccc\n"));
    awk::Outcome outcome(rh_program_run(words.get(), run.get(), &error));
    awk::check(error);
    std::cout << awk::view(rh_outcome_stdout(outcome.get()));

    // The same program, its output pulled line by line.
    run.reset(rh_run_new());
    rh_run_input(run.get(), awk::text("dddd eeeee"));
    awk::Records records(rh_program_records(words.get(), run.get(), &error));
    awk::check(error);
    for (rh_text line; rh_records_next(records.get(), &line, &error);)
      std::cout << "[" << awk::view(line) << "]\n";
    awk::check(error);

    // Programs may not touch files unless they are allowed to.
    run.reset(rh_run_new());
    auto reads = awk::compile("BEGIN { getline line < \"/etc/passwd\" }");
    outcome.reset(rh_program_run(reads.get(), run.get(), &error));
    awk::check(error);
  } catch (const std::exception &error) {
    std::cout << "error: " << error.what() << "\n";
  }
}
