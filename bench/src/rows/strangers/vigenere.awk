# A text enciphered and deciphered.
function cipher(text, key, way,    i, p, k, out) {
    for (i = 1; i <= length(text); i++) {
        p = index(letters, substr(text, i, 1)); k = index(letters, substr(key, (i - 1) % length(key) + 1, 1))
        out = out (p ? substr(letters, (p - 1 + way * k + 52) % 26 + 1, 1) : substr(text, i, 1))
    }
    return out
}
BEGIN {
    letters = "abcdefghijklmnopqrstuvwxyz"; plain = "the quick brown fox jumps over the lazy dog, and runs away"
    for (n = 1; n <= 5000; n++) { secret = cipher(plain, "lemon" n % 7, 1); if (cipher(secret, "lemon" n % 7, -1) != plain) print "wrong" }
    print secret
}
