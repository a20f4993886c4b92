//! Regular expressions and literals: replacing, filtering, extracting.

use super::Row;
use crate::data::{LINES60, LOG, MIXED, TABLE, WORDS};

pub fn rows() -> Vec<Row> {
    vec![
        Row::reads("replace-rare", "replace a word of one line in a thousand", &[LINES60], "{ gsub(/needle/, \"thread\"); print }")
            .of_fastest_awk(0.4)
            .tool("sed", &["s/needle/thread/g"])
            .perl(&["-pe"], "s/needle/thread/g")
            .python("import sys\nw = sys.stdout.write\nfor line in open(sys.argv[1], encoding='utf-8'): w(line.replace('needle', 'thread'))")
            .ruby(&["-Eutf-8", "-pe"], "$_.gsub!('needle', 'thread')"),
        Row::reads("replace-dense", "replace a word of every line", &[LINES60], "{ gsub(/the/, \"THE\"); print }")
            .of_fastest_awk(0.4)
            .tool("sed", &["s/the/THE/g"])
            .perl(&["-pe"], "s/the/THE/g")
            .python("import sys\nw = sys.stdout.write\nfor line in open(sys.argv[1], encoding='utf-8'): w(line.replace('the', 'THE'))"),
        Row::reads("replace-mixed", "replace a Cyrillic word in many scripts", &[MIXED], "{ gsub(/ястреб/, \"hawk\"); print }")
            .of_fastest_awk(0.4)
            .tool("sed", &["s/ястреб/hawk/g"])
            .perl(&["-pe"], "s/ястреб/hawk/g"),
        Row::reads("filter-literal", "lines with a rare word", &[LINES60], "/needle/")
            .tool("grep", &["needle"])
            .tool("rg", &["--no-line-number", "needle"])
            .tool("sed", &["-n", "/needle/p"])
            .perl(&["-ne"], "print if /needle/"),
        Row::reads("filter-none", "a class and a word that no line has", &[LINES60], "/[A-Z]+zebra/")
            .tool("rg", &["--no-line-number", "[A-Z]+zebra"])
            .perl(&["-ne"], "print if /[A-Z]+zebra/"),
        Row::reads("filter-inverted", "lines of a log without a word", &[LOG], "!/Googlebot/")
            .tool("grep", &["-v", "Googlebot"])
            .tool("rg", &["--no-line-number", "-v", "Googlebot"])
            .perl(&["-ne"], "print unless /Googlebot/"),
        Row::reads("filter-alternation", "lines of a log with one of four words", &[LOG], "/robots|logout|curl|PUT/")
            .tool("grep", &["-E", "robots|logout|curl|PUT"])
            .tool("rg", &["--no-line-number", "robots|logout|curl|PUT"])
            .perl(&["-ne"], "print if /robots|logout|curl|PUT/"),
        Row::reads("filter-class", "a status of 5xx after the quoted request", &[LOG], "/\" 5[0-9][0-9] /")
            .tool("grep", &["\" 5[0-9][0-9] "])
            .tool("rg", &["--no-line-number", "\" 5[0-9][0-9] "])
            .perl(&["-ne"], "print if /\" 5[0-9][0-9] /"),
        Row::reads("filter-anchored", "an address at the start, a time at the end", &[LOG], "/^10\\.2\\./ && / [0-9]\\.[0-9]+$/")
            .perl(&["-ne"], "print if /^10\\.2\\./ && / [0-9]\\.[0-9]+$/"),
        Row::reads("filter-greedy", "three words in order, anything between", &[LOG], "/POST.*api.*Firefox/")
            .tool("grep", &["POST.*api.*Firefox"])
            .tool("rg", &["--no-line-number", "POST.*api.*Firefox"])
            .perl(&["-ne"], "print if /POST.*api.*Firefox/"),
        Row::reads("filter-mixed", "lines with one of two words in other scripts", &[MIXED], "/быстро|漢字/")
            .tool("grep", &["-E", "быстро|漢字"])
            .tool("rg", &["--no-line-number", "быстро|漢字"]),
        Row::reads("filter-field", "rows whose field matches", &[LOG], "$9 ~ /^5/ { n++ } END { print n }")
            .perl(&["-ane"], "$n++ if $F[8] =~ /^5/; END { print \"$n\\n\" }"),
        Row::reads("filter-dynamic", "a pattern out of a variable", &[LOG], "$0 ~ re { n++ } END { print n }")
            .flags(&["-v", "re=(PUT|POST) /(login|search)"])
            .tool("grep", &["-cE", "(PUT|POST) /(login|search)"])
            .tool("rg", &["-c", "(PUT|POST) /(login|search)"]),
        Row::reads("filter-from-start", "lines that begin and go on so, anything between", &[LOG], "/^10[.].*html/")
            .tool("grep", &["-E", "^10[.].*html"])
            .tool("rg", &["--no-line-number", "^10[.].*html"]),
        Row::reads("filter-to-end", "lines with a word that end in a digit", &[LOG], "/html.*[0-9]$/")
            .tool("grep", &["-E", "html.*[0-9]$"])
            .tool("rg", &["--no-line-number", "html.*[0-9]$"]),
        Row::reads("cut-rest", "cut all from the first blank", &[LOG], "{ sub(/ .*$/, \"\"); print }")
            .tool("sed", &["s/ .*$//"])
            .perl(&["-pe"], "s/ .*$//"),
        Row::reads("cut-front", "cut all to the last slash", &[LOG], "{ sub(/.*\\//, \"\"); print }")
            .tool("sed", &["s/.*\\///"])
            .perl(&["-pe"], "s/.*\\///"),
        Row::reads("gsub-quoted", "empty all quotes", &[LOG], "{ gsub(/\"[^\"]*\"/, \"\\\"\\\"\"); print }")
            .tool("sed", &["s/\"[^\"]*\"/\"\"/g"])
            .perl(&["-pe"], "s/\"[^\"]*\"/\"\"/g"),
        Row::reads("several-patterns", "five rules, each with its pattern", &[LOG], "/GET/ { g++ } /POST/ { p++ } /curl/ { c++ } / 404 / { n++ } / 50[03] / { e++ } END { print g, p, c, n, e }")
            .perl(&["-ne"], "$g++ if /GET/; $p++ if /POST/; $c++ if /curl/; $n++ if / 404 /; $e++ if / 50[03] /; END { print \"$g $p $c $n $e\\n\" }"),
        Row::reads("gsub-digits", "replace every number by #", &[LOG], "{ gsub(/[0-9]+/, \"#\"); print }")
            .tool("sed", &["-E", "s/[0-9]+/#/g"])
            .perl(&["-pe"], "s/[0-9]+/#/g")
            .python("import re, sys\nr = re.compile('[0-9]+')\nw = sys.stdout.write\nfor line in open(sys.argv[1], encoding='utf-8'): w(r.sub('#', line))")
            .ruby(&["-Eutf-8", "-pe"], "$_.gsub!(/[0-9]+/, '#')"),
        Row::reads("gsub-class", "remove all that is no letter or blank", &[WORDS], "{ gsub(/[^a-z ]/, \"\"); print }")
            .tool("sed", &["s/[^a-z ]//g"])
            .perl(&["-lpe"], "s/[^a-z ]//g"),
        Row::reads("gsub-ampersand", "brackets around every capitalised word", &[WORDS], "{ gsub(/[A-Z][a-z]*/, \"[&]\"); print }")
            .tool("sed", &["s/[A-Z][a-z]*/[&]/g"])
            .perl(&["-pe"], "s/([A-Z][a-z]*)/[$1]/g"),
        Row::reads("gsub-count", "count the letters e", &[WORDS], "{ n += gsub(/e/, \"&\") } END { print n }").perl(&["-ne"], "$n += tr/e//; END { print \"$n\\n\" }"),
        Row::reads("gsub-field", "replace inside one field", &[TABLE], "{ gsub(/a/, \"A\", $3); print }"),
        Row::reads("trim", "cut blanks at both ends", &[WORDS], "{ sub(/^[ \\t]+/, \"\"); sub(/[ \\t.]+$/, \"\"); print }")
            .tool("sed", &["-e", "s/^[ \\t]*//", "-e", "s/[ \\t.]*$//"])
            .perl(&["-lpe"], "s/^[ \\t]+//; s/[ \\t.]+$//"),
        Row::reads("trim-gsub", "the same by one gsub of both ends", &[WORDS], "{ gsub(/^[ \\t]+|[ \\t.]+$/, \"\"); print }")
            .tool("sed", &["-E", "s/^[ \\t]+|[ \\t.]+$//g"])
            .perl(&["-lpe"], "s/^[ \\t]+|[ \\t.]+$//g"),
        Row::reads("match-extract", "extract what a pattern matches", &[LOG], "match($0, /\"[A-Z]+ [^ ]+/) { print substr($0, RSTART + 1, RLENGTH - 1) }")
            .tool("rg", &["--no-line-number", "-o", "-r", "$1", "\"([A-Z]+ [^ ]+)"])
            .perl(&["-lne"], "print $1 if /\"([A-Z]+ [^ ]+)/"),
        Row::reads("range", "lines from one pattern to another", &[LOG], "/robots/, /logout/")
            .perl(&["-ne"], "print if /robots/ .. /logout/"),
    ]
}
