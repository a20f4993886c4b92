# An interpreter of a small language.
BEGIN {
    program = "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+."
    n = length(program)
    for (i = 1; i <= n; i++) {
        op[i] = substr(program, i, 1)
        if (op[i] == "[") stack[++depth] = i
        if (op[i] == "]") { to[i] = stack[depth--]; to[to[i]] = i }
    }
    for (turn = 1; turn <= 600; turn++) {
        split("", cell); p = 0; out = ""
        for (i = 1; i <= n; i++) {
            c = op[i]
            if (c == ">") p++
            else if (c == "<") p--
            else if (c == "+") cell[p] = (cell[p] + 1) % 256
            else if (c == "-") cell[p] = (cell[p] + 255) % 256
            else if (c == ".") out = out sprintf("%c", cell[p])
            else if (c == "[" && !cell[p] || c == "]" && cell[p]) i = to[i]
        }
    }
    print out
}
