//! Whole lines: length, number, copy.

use super::Row;
use crate::data::{LINES60, MIXED, PARAGRAPHS, SHORT8, WORDS};

pub fn rows() -> Vec<Row> {
    vec![
        Row::reads("length", "characters of a million 60-character lines", &[LINES60], "{ n += length($0) } END { print n }")
            .of_fastest_awk(0.5)
            .perl(&["-CSD", "-Mopen=:std,:encoding(UTF-8)", "-ne"], "chomp; $n += length; END { print \"$n\\n\" }")
            .python("import sys\nprint(sum(len(line.rstrip('\\n')) for line in open(sys.argv[1], encoding='utf-8')))")
            .ruby(&["-Eutf-8"], "n = 0; File.foreach(ARGV[0], chomp: true) { |line| n += line.length }; puts n")
            .raku("my $n = 0; $n += .chars for @*ARGS[0].IO.lines; say $n"),
        Row::reads("length-bytes", "the same, counted in bytes", &[LINES60], "{ n += length($0) } END { print n }")
            .of_fastest_awk(0.5)
            .in_bytes()
            .perl(&["-ne"], "chomp; $n += length; END { print \"$n\\n\" }")
            .python("import sys\nprint(sum(len(line.rstrip(b'\\n')) for line in open(sys.argv[1], 'rb')))")
            .ruby(&["-Ebinary"], "n = 0; File.foreach(ARGV[0], chomp: true) { |line| n += line.bytesize }; puts n")
            .lua("local n = 0\nfor line in io.lines(arg[1]) do n = n + #line end\nprint(n)"),
        Row::reads("length-assigned", "length, as a sum that is assigned", &[LINES60], "{ n = n + length($0) } END { print n }")
            .of_fastest_awk(0.5),
        Row::reads("length-function", "length, in a function", &[LINES60], "function size(s) { return length(s) } { n += size($0) } END { print n }")
            .of_fastest_awk(0.5),
        Row::reads("length-element", "length, summed in an element", &[LINES60], "{ n[\"all\"] = n[\"all\"] + length($0) } END { print n[\"all\"] }"),
        Row::reads("length-mixed", "characters of a million lines in many scripts", &[MIXED], "{ n += length($0) } END { print n }")
            .of_fastest_awk(0.1)
            .perl(&["-CSD", "-Mopen=:std,:encoding(UTF-8)", "-ne"], "chomp; $n += length; END { print \"$n\\n\" }")
            .python("import sys\nprint(sum(len(line.rstrip('\\n')) for line in open(sys.argv[1], encoding='utf-8')))")
            .ruby(&["-Eutf-8"], "n = 0; File.foreach(ARGV[0], chomp: true) { |line| n += line.length }; puts n"),
        Row::reads("lines-short", "number of 8-byte lines", &[SHORT8], "END { print NR }")
            .of_fastest_awk(0.4)
            .filter("wc", &["-l"])
            .tool("grep", &["-c", ""])
            .tool("rg", &["-c", ""])
            .perl(&["-ne"], "END { print \"$.\\n\" }")
            .python("import sys\nprint(sum(1 for line in open(sys.argv[1], 'rb')))")
            .ruby(&[], "n = 0; File.foreach(ARGV[0]) { n += 1 }; puts n")
            .lua("local n = 0\nfor line in io.lines(arg[1]) do n = n + 1 end\nprint(n)"),
        Row::reads("lines", "number of 60-character lines", &[LINES60], "END { print NR }")
            .filter("wc", &["-l"])
            .tool("grep", &["-c", ""])
            .perl(&["-ne"], "END { print \"$.\\n\" }")
            .python("import sys\nprint(sum(1 for line in open(sys.argv[1], 'rb')))")
            .lua("local n = 0\nfor line in io.lines(arg[1]) do n = n + 1 end\nprint(n)"),
        Row::reads("lines-pipe", "the same, from a pipe", &[LINES60], "END { print NR }")
            .through_pipe()
            .filter("wc", &["-l"])
            .perl(&["-ne"], "END { print \"$.\\n\" }"),
        Row::reads("last-line", "the last line", &[LINES60], "END { print $0 }")
            .tool("tail", &["-n", "1"])
            .perl(&["-ne"], "$l = $_; END { print $l }"),
        Row::reads("wc", "lines, words and characters", &[WORDS], "{ w += NF; c += length($0) + 1 } END { print NR, w, c }")
            .perl(&["-ne"], "$w += split; $c += length; END { print \"$. $w $c\\n\" }")
            .python("import sys\nn = w = c = 0\nfor line in open(sys.argv[1], encoding='utf-8'):\n    n += 1; w += len(line.split()); c += len(line)\nprint(n, w, c)"),
        Row::reads(
            "longest",
            "the longest line",
            &[WORDS],
            "length($0) > max { max = length($0); line = $0 } END { print max, line }",
        )
        .perl(&["-ne"], "chomp; if (length > $max) { $max = length; $line = $_ } END { print \"$max $line\\n\" }")
        .python("import sys\nbest = ''\nfor line in open(sys.argv[1], encoding='utf-8'):\n    if len(line) > len(best): best = line\nprint(len(best) - 1, best, end='')"),
        Row::reads("nonblank", "the lines that are not blank", &[PARAGRAPHS], "NF")
            .tool("sed", &["/^[ \\t]*$/d"])
            .perl(&["-ne"], "print if /\\S/"),
        Row::reads("copy", "copy every line", &[LINES60], "{ print }")
            .of_fastest_awk(0.7)
            .tool("cat", &[])
            .tool("sed", &[""])
            .perl(&["-ne"], "print")
            .python("import sys\nout = sys.stdout.buffer\nfor line in open(sys.argv[1], 'rb'): out.write(line)")
            .ruby(&["-Ebinary", "-ne"], "print")
            .lua("local out = io.stdout\nfor line in io.lines(arg[1]) do out:write(line, '\\n') end"),
        Row::reads("copy-mixed", "copy every line, many scripts", &[MIXED], "1").of_fastest_awk(0.7).tool("cat", &[]).perl(&["-ne"], "print"),
        Row::reads("copy-pipe", "copy every line from a pipe", &[LINES60], "1").through_pipe().filter("cat", &[]).perl(&["-ne"], "print"),
        Row::reads("number", "every line with its number", &[LINES60], "{ print NR \": \" $0 }")
            .perl(&["-ne"], "print \"$.: $_\"")
            .python("import sys\nw = sys.stdout.write\nfor n, line in enumerate(open(sys.argv[1], encoding='utf-8'), 1): w(f'{n}: {line}')"),
        Row::reads("every-tenth", "every tenth line", &[LINES60], "NR % 10 == 0").tool("sed", &["-n", "0~10p"]).perl(&["-ne"], "print unless $. % 10"),
    ]
}
