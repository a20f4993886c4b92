//! Strings without input: building, cutting, searching, converting.

use super::Row;

pub fn rows() -> Vec<Row> {
    vec![
        Row::computes("string-append", "a million pieces appended to one string", "BEGIN { for (i = 0; i < @n:1000000@; i++) s = s \"abcdefgh\"; print length(s) }")
            .of_fastest_awk(1.0)
            .perl(&["-e"], "my $s = ''; for my $i (1 .. @n:1000000@) { $s .= 'abcdefgh' } print length($s), \"\\n\"")
            .python("def build():\n    s = ''\n    for i in range(@n:1000000@): s += 'abcdefgh'\n    return s\nprint(len(build()))"),
        Row::computes("string-prepend", "ten thousand pieces before one string", "BEGIN { for (i = 0; i < @n:10000@; i++) s = \"abcdefgh\" s; print length(s) }"),
        Row::computes("concatenation", "short strings joined", "BEGIN { for (i = 0; i < @n:1000000@; i++) { s = \"k\" i \"-\" i; n += length(s) } print n }")
            .perl(&["-e"], "for my $i (0 .. @n:1000000@ - 1) { my $s = 'k' . $i . '-' . $i; $n += length $s } print \"$n\\n\"")
            .python("n = 0\nfor i in range(@n:1000000@):\n    s = f'k{i}-{i}'; n += len(s)\nprint(n)")
            .lua("local n = 0\nfor i = 0, @n:1000000@ - 1 do local s = 'k' .. i .. '-' .. i; n = n + #s end\nprint(n)"),
        Row::computes("substr", "every character of a string by substr", "BEGIN { s = \"the quick brown fox jumps over the lazy dog\"; for (k = 0; k < @n:50000@; k++) for (i = 1; i <= length(s); i++) if (substr(s, i, 1) == \"o\") n++; print n }")
            .perl(&["-e"], "my $s = 'the quick brown fox jumps over the lazy dog'; for my $k (1 .. @n:50000@) { for my $i (0 .. length($s) - 1) { $n++ if substr($s, $i, 1) eq 'o' } } print \"$n\\n\"")
            .lua("local s, n = 'the quick brown fox jumps over the lazy dog', 0\nfor k = 1, @n:50000@ do for i = 1, #s do if s:sub(i, i) == 'o' then n = n + 1 end end end\nprint(n)"),
        Row::computes("substr-utf8", "the same over other scripts", "BEGIN { s = \"река ястреб 河流 鷹 über straße 🦅 konец\"; for (k = 0; k < @n:50000@; k++) for (i = 1; i <= length(s); i++) if (substr(s, i, 1) == \"е\") n++; print n }")
            .of_fastest_awk(1.0)
            .python("s = 'река ястреб 河流 鷹 über straße 🦅 konец'\nn = 0\nfor k in range(@n:50000@):\n    for i in range(len(s)):\n        if s[i] == 'е': n += 1\nprint(n)"),
        Row::computes("index", "index in a string of 200 characters", "BEGIN { for (i = 0; i < 20; i++) s = s \"abcdefghij\"; s = s \"needle\"; for (k = 0; k < @n:1000000@; k++) n += index(s, \"needle\"); print n }")
            .perl(&["-e"], "my $s = 'abcdefghij' x 20 . 'needle'; for my $k (1 .. @n:1000000@) { $n += 1 + index($s, 'needle') } print \"$n\\n\""),
        Row::computes("case", "toupper and tolower", "BEGIN { s = \"The Quick Brown Fox Jumps Over The Lazy Dog\"; for (i = 0; i < @n:500000@; i++) n += length(toupper(s) tolower(s)); print n }")
            .perl(&["-e"], "my $s = 'The Quick Brown Fox Jumps Over The Lazy Dog'; for my $i (1 .. @n:500000@) { $n += length(uc($s) . lc($s)) } print \"$n\\n\""),
        Row::computes("split-char", "split between commas", "BEGIN { s = \"one,two,three,four,five,six,seven,eight\"; for (i = 0; i < @n:300000@; i++) n += split(s, a, \",\"); print n, a[8] }")
            .perl(&["-e"], "my $s = 'one,two,three,four,five,six,seven,eight'; for my $i (1 .. @n:300000@) { @a = split /,/, $s; $n += @a } print \"$n $a[7]\\n\""),
        Row::computes("split-regex", "split by a pattern", "BEGIN { s = \"one, two;three ,four; five,six\"; for (i = 0; i < @n:200000@; i++) n += split(s, a, / *[,;] */); print n, a[6] }"),
        Row::computes("sprintf", "sprintf of a number and a string", "BEGIN { for (i = 0; i < @n:500000@; i++) n += length(sprintf(\"%05d:%s\", i, \"abc\")); print n }")
            .perl(&["-e"], "for my $i (0 .. @n:500000@ - 1) { $n += length sprintf('%05d:%s', $i, 'abc') } print \"$n\\n\""),
        Row::computes("sub-string", "sub on a string", "BEGIN { for (i = 0; i < @n:300000@; i++) { s = \"hello world foo bar\"; sub(/wor[a-z]+/, \"there\", s); n += length(s) } print n }"),
        Row::computes("number-to-string", "decimals as subscripts and back", "BEGIN { for (i = 0; i < @n:500000@; i++) { s = i / 8 \"\"; n += s + 0 } printf \"%.1f\\n\", n }"),
        Row::computes("compare", "strings compared", "BEGIN { a = \"configuration-a\"; b = \"configuration-b\"; for (i = 0; i < @n:2000000@; i++) if (a < b) n++; print n }"),
        Row::computes("reverse-string", "a string reversed character by character", "BEGIN { s = \"the quick brown fox jumps over the lazy dog\"; for (k = 0; k < @n:20000@; k++) { r = \"\"; for (i = length(s); i > 0; i--) r = r substr(s, i, 1) } print r }"),
    ]
}
