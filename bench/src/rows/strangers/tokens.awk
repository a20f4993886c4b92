# The kinds of tokens in a program text, by match and substr.
BEGIN {
    source = "if (count[name] >= 10 && x != \"a b\") { y = y * 2.5e3 + f(z, 17); print \"done\" } # end"
    for (turn = 1; turn <= 12000; turn++) {
        rest = source
        while (rest != "") {
            if (match(rest, /^[ \t]+/)) kind = "blank"
            else if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/)) kind = "name"
            else if (match(rest, /^[0-9]+(\.[0-9]+)?(e[0-9]+)?/)) kind = "number"
            else if (match(rest, /^"[^"]*"/)) kind = "text"
            else if (match(rest, /^#.*/)) kind = "comment"
            else if (match(rest, /^([<>=!]=|&&|\|\|)/)) kind = "operator"
            else { kind = "mark"; RLENGTH = 1 }
            n[kind]++; rest = substr(rest, RLENGTH + 1)
        }
    }
    print n["blank"], n["name"], n["number"], n["text"], n["comment"], n["operator"], n["mark"]
}
