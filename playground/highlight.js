// Colours for a program: a piece of text for each word, comment, string, regular expression and number. Approximate where only
// a parser knows, as whether `/` divides.
const KEYWORDS = new Set(
    "BEGIN BEGINFILE END ENDFILE break case continue default delete do else exit for func function getline if in next nextfile print printf return switch while".split(" "),
);
const SPECIAL = new Set(
    "ARGC ARGIND ARGV BINMODE CONVFMT ENVIRON ERRNO FIELDWIDTHS FILENAME FNR FPAT FS FUNCTAB IGNORECASE LINT NF NR OFMT OFS ORS PROCINFO RLENGTH RS RSTART RT SUBSEP SYMTAB TEXTDOMAIN ENCODING FIELDS".split(" "),
);
const TOKEN =
    /(?<comment>#.*)|(?<string>"(?:\\[^]|[^"\\\n])*"?)|(?<number>\b(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?)|\.\d+)|(?<word>[A-Za-z_][\w]*(?:::[A-Za-z_]\w*)?)|(?<field>\$(?:\d+|[A-Za-z_]\w*)?|@(?="))|(?<slash>\/)|(?<space>\s+)|(?<other>[^])/gy;
const REGEX = /\/(?:\\.|\[\^?\]?(?:\\.|[^\]\n])*\]|[^/\\\n[])+\//y;

// `[text, kind]` for all of the text; the kind is a class or "".
export function tokens(text) {
    const found = [];
    // Whether what comes next is an operand, so that a slash begins a regular expression.
    let wantsOperand = true;
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.length) {
        const at = TOKEN.lastIndex;
        const { groups, 0: token } = TOKEN.exec(text);
        const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
        if (kind === "slash" && wantsOperand) {
            REGEX.lastIndex = at;
            const regex = REGEX.exec(text);
            if (regex) {
                found.push([regex[0], "regex"]);
                TOKEN.lastIndex = REGEX.lastIndex;
                wantsOperand = false;
                continue;
            }
        }
        found.push([token, classOf(kind, token, text, TOKEN.lastIndex)]);
        if (kind === "space") {
            if (token.includes("\n")) wantsOperand = true;
        } else if (kind !== "comment") {
            wantsOperand = kind === "word" ? KEYWORDS.has(token) : kind === "slash" || (kind === "other" && !")]".includes(token));
        }
    }
    return found;
}

function classOf(kind, token, text, after) {
    if (kind !== "word") return ["comment", "string", "number", "field"].includes(kind) ? kind : "";
    if (KEYWORDS.has(token)) return "keyword";
    if (SPECIAL.has(token)) return "special";
    return text[after] === "(" ? "function" : "";
}
