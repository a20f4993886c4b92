// Examples to begin with; `test` compares what the page prints with what the command prints.
const LOG = `10.0.0.1 - - [10/Oct/2026:13:05:36 +0200] "GET / HTTP/1.1" 200 512 0.012
10.0.0.2 - - [10/Oct/2026:13:20:01 +0200] "GET /tea HTTP/1.1" 404 90 0.003
10.0.0.1 - - [10/Oct/2026:13:40:10 +0200] "POST /order HTTP/1.1" 500 77 1.250
10.0.0.1 - - [10/Oct/2026:14:30:00 +0200] "GET /tea HTTP/1.1" 200 1024 0.020
10.0.0.3 - - [10/Oct/2026:14:31:00 +0200] "GET / HTTP/1.1" 200 512 0.015
`;

const SALES = `ann tea 3
bo tea 1
ann milk 2
cy beer 12
bo milk 7
`;

const CSV = `id,name,town,price
1,"Ann, the first",Ghent,12.50
2,Bo,Lyon,3.20
3,"Cy ""Red""",Ghent,7.00
`;

const JSON_LINES = `{"id":1,"name":"Ann","tags":["a","b"],"price":12.5}
{"id":2,"name":"Bo","tags":[],"price":3.2}
{"id":9007199254740993,"name":"日本","tags":["c"],"price":0}
`;

const TEXT = `The quick brown fox jumps over the lazy dog.
The dog sleeps; the fox does not.
A naïve façade, 日本語 and an emoji 👩‍👩‍👧.
`;

export const EXAMPLES = [
    { name: "Fields and sums", program: "{ sum[$2] += $3 }\n\nEND {\n    PROCINFO[\"sorted_in\"] = \"@val_num_desc\"\n    for (what in sum)\n        printf \"%-6s %3d\\n\", what, sum[what]\n}\n", input: SALES },
    { name: "A table of two keys", program: "{ n[$1][$2] += $3; seen[$2] }\n\nEND {\n    PROCINFO[\"sorted_in\"] = \"@ind_str_asc\"\n    printf \"who\"\n    for (what in seen) printf \"\\t%s\", what\n    print \"\"\n    for (who in n) {\n        printf \"%s\", who\n        for (what in seen) printf \"\\t%d\", n[who][what]\n        print \"\"\n    }\n}\n", input: SALES },
    { name: "Requests by status", program: "{ n[$9]++ }\n\nEND {\n    PROCINFO[\"sorted_in\"] = \"@val_num_desc\"\n    for (status in n)\n        printf \"%s %d %.0f%%\\n\", status, n[status], 100 * n[status] / NR\n}\n", input: LOG },
    { name: "Requests by hour", program: "{ n[time::format(time::parse($2), \"%F %H:00\", \"UTC\")]++ }\n\nEND {\n    PROCINFO[\"sorted_in\"] = \"@ind_str_asc\"\n    for (hour in n) print hour, n[hour]\n}\n", input: LOG, separator: "[][]" },
    { name: "Words, counted", program: "{\n    gsub(/[[:punct:]]/, \"\")\n    for (i = 1; i <= NF; i++) count[tolower($i)]++\n}\n\nEND {\n    PROCINFO[\"sorted_in\"] = \"@val_num_desc\"\n    for (word in count) {\n        print count[word], word\n        if (++shown == 5) exit\n    }\n}\n", input: TEXT },
    { name: "Characters of Unicode", program: "{\n    print length($0), text::width($0), toupper($0)\n}\n", input: TEXT },
    { name: "CSV: columns by name", program: "@\"town\" == \"Ghent\" { print @\"name\", @\"price\"; sum += @\"price\" }\n\nEND { print \"sum\", sum }\n", input: CSV, format: "csv", header: true },
    { name: "CSV: a new column", program: "{ @\"price\" = sprintf(\"%.2f\", @\"price\" * 1.21); print }\n", input: CSV, format: "csv", header: true },
    { name: "JSON Lines", program: "@\"price\" > 1 { print @\"id\", @\"name\", @\"price\" }\n", input: JSON_LINES, format: "jsonl" },
    { name: "Paragraphs as records", program: "BEGIN { RS = \"\"; FS = \"\\n\" }\n\n{ print NR \": \" $1 \" (\" NF - 1 \" more lines)\" }\n", input: "first\nwith two\nlines\n\n\nsecond\n\nthird\nand last\n" },
    { name: "Fields of fixed width", program: "BEGIN { FIELDWIDTHS = \"4 2 2 *\" }\n\n{ print $3 \".\" $2 \".\" $1, $4 }\n", input: "20261122rain\n20261123sun\n" },
    { name: "Patterns with groups", program: "match($0, /([0-9]+)-([0-9]+)/, part) {\n    print $1, part[2] - part[1]\n}\n", input: "a 10-20\nb 5-7\nc none\n" },
    { name: "A range of lines", program: "/begin/, /end/ { print FNR \": \" $0 }\n", input: "one\nbegin\ntwo\nthree\nend\nfour\n" },
    { name: "Sorting with a function", program: "function by_length(i1, v1, i2, v2) {\n    return length(v1) - length(v2)\n}\n\n{ line[NR] = $0 }\n\nEND {\n    n = asort(line, sorted, \"by_length\")\n    for (i = 1; i <= n; i++) print sorted[i]\n}\n", input: "kiwi\nfig\nbanana\n" },
    { name: "The lines that are new", program: "!seen[$0]++\n", input: "tea\nmilk\ntea\nbeer\nmilk\n" },
    { name: "Rows to columns", program: "{ for (i = 1; i <= NF; i++) column[i] = column[i] (NR > 1 ? OFS : \"\") $i }\n\nEND { for (i = 1; i in column; i++) print column[i] }\n", input: "1 2 3\n4 5 6\n" },
    { name: "A histogram", program: "{ n[$1]++ }\n\nEND {\n    PROCINFO[\"sorted_in\"] = \"@ind_num_asc\"\n    for (k in n) {\n        bar = \"\"\n        for (i = 0; i < n[k]; i++) bar = bar \"#\"\n        printf \"%3d %s\\n\", k, bar\n    }\n}\n", input: "3\n1\n3\n2\n3\n1\n" },
    { name: "Eight queens", program: "function place(row,    column, i) {\n    if (row > 8) { solutions++; return }\n    for (column = 1; column <= 8; column++) {\n        for (i = 1; i < row; i++)\n            if (queen[i] == column || row - i == column - queen[i] || row - i == queen[i] - column)\n                break\n        if (i == row) { queen[row] = column; place(row + 1) }\n    }\n}\n\nBEGIN { place(1); print solutions, \"solutions\" }\n", input: "" },
    { name: "The Mandelbrot set", program: "BEGIN {\n    for (y = 1.2; y > -1.3; y -= 0.1) {\n        line = \"\"\n        for (x = -2; x < 0.8; x += 0.04) {\n            re = im = n = 0\n            while (n < 90 && re * re + im * im < 4) {\n                next_re = re * re - im * im + x\n                im = 2 * re * im + y\n                re = next_re\n                n++\n            }\n            line = line substr(\" .:-=+*%@#\", int(n / 10) + 1, 1)\n        }\n        print line\n    }\n}\n", input: "" },
    { name: "What an error looks like", program: "{\n    total += $3\n    print total / ($3 - 2)\n}\n", input: SALES },
];
