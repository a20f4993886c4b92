//! Associative arrays: counting, summing, removing duplicates, joining.

use super::Row;
use crate::data::{EVENTS, KEYS1K, KEYS1M, LOG, TABLE, USERS, WORDS};

pub fn rows() -> Vec<Row> {
    vec![
        Row::reads("count-1k", "count by key, 1,000 keys", &[KEYS1K], "{ c[$1]++ } END { for (k in c) print k, c[k] }")
            .any_order()
            .keeps_data()
            .perl(&["-lane"], "$c{$F[0]}++; END { print \"$_ $c{$_}\" for keys %c }")
            .python("import sys\nfrom collections import Counter\nc = Counter(line.split(None, 1)[0] for line in open(sys.argv[1]))\nfor k, n in c.items(): print(k, n)")
            .ruby(&["-Ebinary"], "c = Hash.new(0); File.foreach(ARGV[0]) { |line| c[line.split(' ', 2)[0]] += 1 }; c.each { |k, n| puts \"#{k} #{n}\" }")
            .lua("local c = {}\nfor line in io.lines(arg[1]) do\n  local k = line:match('^%S+')\n  c[k] = (c[k] or 0) + 1\nend\nfor k, n in pairs(c) do print(k .. ' ' .. n) end"),
        Row::reads("count-1m", "count by key, 865,000 keys", &[KEYS1M], "{ c[$1]++ } END { for (k in c) if (c[k] > 5) print k, c[k] }")
            .any_order()
            .keeps_data()
            .perl(&["-lane"], "$c{$F[0]}++; END { for (keys %c) { print \"$_ $c{$_}\" if $c{$_} > 5 } }")
            .python("import sys\nfrom collections import Counter\nc = Counter(line.split(None, 1)[0] for line in open(sys.argv[1]))\nfor k, n in c.items():\n    if n > 5: print(k, n)"),
        Row::reads("sum-by-key", "sum by key, 1,000 keys", &[KEYS1K], "{ s[$1] += $2 } END { for (k in s) print k, s[k] }")
            .any_order()
            .keeps_data()
            .perl(&["-lane"], "$s{$F[0]} += $F[1]; END { print \"$_ $s{$_}\" for keys %s }")
            .python("import sys\ns = {}\nfor line in open(sys.argv[1]):\n    k, v = line.split()\n    s[k] = s.get(k, 0) + int(v)\nfor k, v in s.items(): print(k, v)"),
        Row::reads("sum-by-key-1m", "sum by key, 865,000 keys", &[KEYS1M], "{ s[$1] += $2 } END { for (k in s) if (s[k] > 40000) print k, s[k] }")
            .any_order()
            .keeps_data(),
        Row::reads("mean-by-name", "mean by one of eight names", &[TABLE], "{ s[$3] += $4; n[$3]++ } END { for (k in s) printf \"%s %.4f\\n\", k, s[k] / n[k] }")
            .any_order()
            .keeps_data()
            .perl(&["-lane"], "$s{$F[2]} += $F[3]; $n{$F[2]}++; END { printf \"%s %.4f\\n\", $_, $s{$_} / $n{$_} for keys %s }"),
        Row::reads("log-status", "requests by status in an access log", &[LOG], "{ c[$9]++ } END { for (k in c) print k, c[k] }")
            .any_order()
            .keeps_data()
            .perl(&["-lane"], "$c{$F[8]}++; END { print \"$_ $c{$_}\" for keys %c }"),
        Row::reads("log-bytes", "bytes by client in an access log", &[LOG], "{ s[$1] += $10 } END { for (k in s) print k, s[k] }")
            .any_order()
            .keeps_data()
            .perl(&["-lane"], "$s{$F[0]} += $F[9]; END { print \"$_ $s{$_}\" for keys %s }"),
        Row::reads("two-keys", "count by a pair of keys", &[TABLE], "{ c[$3, $7]++ } END { for (k in c) { split(k, p, SUBSEP); print p[1], p[2], c[k] } }")
            .any_order()
            .keeps_data(),
        Row::reads("unique", "lines without repetition", &[KEYS1M], "!seen[$0]++").keeps_data().perl(&["-ne"], "print unless $seen{$_}++"),
        Row::reads("unique-key", "the first line of every key", &[KEYS1K], "!seen[$1]++").keeps_data().perl(&["-ane"], "print unless $seen{$F[0]}++"),
        Row::reads("word-count", "count every word of a text", &[WORDS], "{ for (i = 1; i <= NF; i++) c[$i]++ } END { for (w in c) print c[w], w }")
            .any_order()
            .keeps_data()
            .perl(&["-ne"], "$c{$_}++ for split; END { print \"$c{$_} $_\\n\" for keys %c }")
            .python("import sys\nfrom collections import Counter\nc = Counter()\nfor line in open(sys.argv[1], encoding='utf-8'): c.update(line.split())\nfor w, n in c.items(): print(n, w)")
            .ruby(&["-Eutf-8"], "c = Hash.new(0); File.foreach(ARGV[0]) { |line| line.split.each { |w| c[w] += 1 } }; c.each { |w, n| puts \"#{n} #{w}\" }")
            .lua("local c = {}\nfor line in io.lines(arg[1]) do\n  for w in line:gmatch('%S+') do c[w] = (c[w] or 0) + 1 end\nend\nfor w, n in pairs(c) do print(n .. ' ' .. w) end"),
        Row::reads("word-count-lower", "the same, lower case, letters only", &[WORDS], "{ $0 = tolower($0); gsub(/[^a-z ]/, \"\"); for (i = 1; i <= NF; i++) c[$i]++ } END { for (w in c) print c[w], w }")
            .any_order()
            .keeps_data()
            .perl(&["-ne"], "$_ = lc; s/[^a-z ]//g; $c{$_}++ for split; END { print \"$c{$_} $_\\n\" for keys %c }"),
        Row::reads("join", "join two files by id", &[USERS, EVENTS], "NR == FNR { name[$1] = $2; next } $1 in name { print name[$1], $2 }")
            .keeps_data()
            .perl(&["-ane"], "if (@ARGV) { $name{$F[0]} = $F[1]; next } print \"$name{$F[0]} $F[1]\\n\" if exists $name{$F[0]}")
            .python("import sys\nname = {}\nfor line in open(sys.argv[1]):\n    f = line.split(None, 2); name[f[0]] = f[1]\nw = sys.stdout.write\nfor line in open(sys.argv[2]):\n    k, v = line.split()\n    if k in name: w(name[k] + ' ' + v + '\\n')"),
        Row::reads("reverse-lines", "the lines in reverse order", &[KEYS1K], "{ line[NR] = $0 } END { for (i = NR; i > 0; i--) print line[i] }")
            .keeps_data()
            .tool("tac", &[])
            .perl(&["-e"], "print reverse <>"),
    ]
}
