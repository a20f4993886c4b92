//! What takes long in one step: each is cancelled by the tests, and timed by `examples/endings.rs`.

/// Its name, what it needs, and what is repeated. `SIZE` are the bytes of a text.
pub const OPERATIONS: &[(&str, &str, &str)] = &[
    ("a loop", "", "n++"),
    ("~ literal", "s = text(SIZE)", "n += s ~ /needle/"),
    ("~ byte", "s = text(SIZE)", "n += s ~ /x/"),
    ("~ pattern", "s = text(SIZE)", "n += s ~ /x+[yz]/"),
    ("~ alternatives", "s = text(SIZE)", "n += s ~ /needle|pin/"),
    ("~ hard", "s = mixed(SIZE)", "n += s ~ /(a|b)*a(a|b){16}X/"),
    ("~ hard beyond ASCII", "s = mixed(SIZE) \"é\"", "n += s ~ /([ab]|é)*a([ab]|é){16}X/"),
    ("~ words beyond ASCII", "s = text(SIZE) \"é\"", "n += s ~ /\\<[[:alpha:]]+\\>X/"),
    ("match pattern", "s = text(SIZE)", "n += match(s, /[a-z ]*X/)"),
    ("match all", "s = text(SIZE)", "n += match(s, /a.*X/)"),
    ("match beyond ASCII", "s = text(SIZE) \"é\"", "n += match(s, /a.*X/)"),
    (
        "match hard beyond ASCII",
        "s = mixed(SIZE) \"é\"",
        "n += match(s, /([ab]|é)*a([ab]|é){16}X/)",
    ),
    ("match words beyond ASCII", "s = text(SIZE) \"é\"", "n += match(s, /a.*\\>X/)"),
    ("match groups", "s = text(SIZE)", "n += match(s, /(a.*) 12/, groups)"),
    ("match groups, one pass", "s = text(SIZE)", "n += match(s, /(a)([^X]*)/, groups)"),
    ("gsub", "s = text(SIZE)", "t = s; n += gsub(/[a-z]+/, \"<&>\", t)"),
    ("gsub literal", "s = text(SIZE)", "t = s; n += gsub(/abc/, \"x\", t)"),
    ("gsub nothing", "s = text(SIZE)", "t = s; n += gsub(/X+/, \"x\", t)"),
    ("gsub beyond ASCII", "s = text(SIZE) \"é\"", "t = s; n += gsub(/[[:alpha:]]+/, \"é\", t)"),
    ("gsub hard", "s = mixed(SIZE)", "t = s; n += gsub(/(a|b)*a(a|b){16}X/, \"x\", t)"),
    ("sub", "s = text(SIZE)", "t = s; n += sub(/c d.*/, \"<&>\", t)"),
    ("sub, short", "s = text(SIZE)", "t = s; n += sub(/abc/, \"x\", t)"),
    ("gensub", "s = text(SIZE)", "t = gensub(/([a-z])b/, \"\\\\1\", \"g\", s)"),
    ("split", "s = text(SIZE)", "n += split(s, parts)"),
    ("split literal", "s = text(SIZE)", "n += split(s, parts, \",\")"),
    ("split single blank", "s = text(SIZE)", "n += split(s, parts, / /)"),
    ("split pattern", "s = text(SIZE)", "n += split(s, parts, /[, ]+/)"),
    ("split characters", "s = text(SIZE)", "n += split(s, parts, \"\")"),
    ("split beyond ASCII", "s = text(SIZE) \"é\"", "n += split(s, parts, \"\")"),
    ("patsplit", "s = text(SIZE)", "n += patsplit(s, parts, /[a-z]+/)"),
    ("patsplit, with gaps", "s = text(SIZE)", "n += patsplit(s, parts, /[a-z]+/, gaps)"),
    ("fields", "s = text(SIZE)", "$0 = s; n += NF"),
    ("fields, assigned", "s = text(SIZE)", "$0 = s; $3 = \"x\"; n += length($0)"),
    ("index", "s = text(SIZE)", "n += index(s, \"needle\")"),
    ("index beyond ASCII", "s = text(SIZE) \"é\"", "n += index(s, \"é\")"),
    ("length", "s = text(SIZE)", "t = s \"é\"; n += length(t)"),
    ("substr", "s = text(SIZE) \"é\"", "n += length(substr(s, 50000000, 2))"),
    ("substr, long", "s = text(SIZE)", "t = substr(s, 2); n += length(t)"),
    ("toupper", "s = text(SIZE)", "t = toupper(s)"),
    ("toupper beyond ASCII", "s = text(SIZE) \"é\"", "t = toupper(s)"),
    ("concatenation", "s = text(SIZE)", "t = s s s s"),
    ("appending", "s = text(SIZE)", "t = s; t = t s"),
    ("comparison", "s = text(SIZE); u = text(SIZE)", "n += s < u"),
    ("sprintf width", "", "t = sprintf(\"%*d\", 300000000, 1)"),
    ("sprintf text", "s = text(SIZE)", "t = sprintf(\"%s%s%s\", s, s, s)"),
    ("sprintf beyond ASCII", "s = text(SIZE) \"é\"", "t = sprintf(\"%.60000000s\", s)"),
    ("sprintf digits", "", "t = sprintf(\"%.*f\", 100000000, 1 / 3)"),
    ("asort", "for (i = 0; i < 1000000; i++) a[i] = rand()", "asort(a, b)"),
    ("asort of texts", "for (i = 0; i < 500000; i++) a[i] = \"t\" rand()", "asort(a, b)"),
    ("asorti", "for (i = 0; i < 500000; i++) a[rand()]", "asorti(a, b)"),
    ("asort by a function", "for (i = 0; i < 300000; i++) a[i] = rand()", "asort(a, b, \"by\")"),
    (
        "for in, in order",
        "for (i = 0; i < 500000; i++) a[rand()]",
        "PROCINFO[\"sorted_in\"] = \"@ind_str_asc\"; for (k in a) break",
    ),
    ("for in", "for (i = 0; i < 1000000; i++) a[rand()]", "for (k in a) break"),
    ("delete", "for (i = 0; i < 1000000; i++) a[rand()]", "delete a"),
    ("number of a text", "s = text(SIZE); gsub(/[^1]/, \"1\", s)", "n += s"),
    ("strtonum", "s = text(SIZE); gsub(/[^1]/, \"1\", s)", "n += strtonum(s)"),
    (
        "strtonum, hexadecimal",
        "s = text(SIZE); gsub(/[^1]/, \"1\", s); s = \"0x\" s",
        "n += strtonum(s)",
    ),
];

/// The program that repeats one of them, and calls `begin()` before.
pub fn program(setup: &str, operation: &str, size: usize) -> String {
    let body = format!("{setup}; begin(); while (1) {{ {operation} }}");
    format!("{FUNCTIONS} BEGIN {{ {} }}", body.replace("SIZE", &size.to_string()))
}

/// `text(n)` and `mixed(n)` are texts of at least n bytes.
pub const FUNCTIONS: &str = "
    function repeated(s, n) { while (length(s) < n) s = s s; return s }
    function text(n) { return repeated(\"abc def, 12 \", n) }
    function mixed(n,    i, s) {
        for (i = 0; i < 100000; i++) s = s (rand() < 0.5 ? \"a\" : \"b\")
        return repeated(s, n)
    }
    function by(i, a, j, b) { return a - b }";
