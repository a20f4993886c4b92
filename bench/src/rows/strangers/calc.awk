# A calculator by recursive descent.
function peek() { return substr(text, at, 1) }
function expression(    left, op) {
    left = term()
    while ((op = peek()) == "+" || op == "-") { at++; left = op == "+" ? left + term() : left - term() }
    return left
}
function term(    left, op) {
    left = factor()
    while ((op = peek()) == "*" || op == "/") { at++; left = op == "*" ? left * factor() : left / factor() }
    return left
}
function factor(    value) {
    if (peek() == "(") { at++; value = expression(); at++; return value }
    if (peek() == "-") { at++; return -factor() }
    match(substr(text, at), /^[0-9.]+/)
    value = substr(text, at, RLENGTH) + 0; at += RLENGTH
    return value
}
BEGIN {
    for (i = 1; i <= 30000; i++) {
        text = "(1+" i ")*2-" i "/(3+4*-2)+((" i "))"; at = 1
        total += expression()
    }
    printf "%.4f\n", total
}
