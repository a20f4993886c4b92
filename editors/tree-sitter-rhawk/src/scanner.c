// What needs more than a token: regexps, in which a slash in brackets does not end; `/=`, which assigns to a variable and
// begins a regexp behind any other value; and the end of the last statement of a block.
#include "tree_sitter/parser.h"

enum { REGEX, END_OF_BLOCK, DIVIDE_ASSIGN, EQUALS_REGEX, ERROR };

void *tree_sitter_rhawk_external_scanner_create(void) { return NULL; }
void tree_sitter_rhawk_external_scanner_destroy(void *scanner) { (void)scanner; }
unsigned tree_sitter_rhawk_external_scanner_serialize(void *scanner, char *buffer) {
    (void)scanner, (void)buffer;
    return 0;
}
void tree_sitter_rhawk_external_scanner_deserialize(void *scanner, const char *buffer, unsigned length) {
    (void)scanner, (void)buffer, (void)length;
}

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

// A class in brackets, behind its `[` and the mark: `[:alpha:]`. What is not closed is taken as it stands.
static void skip_class(TSLexer *lexer, int32_t mark) {
    advance(lexer);
    // The longest name that rhawk looks for has 32 bytes.
    for (int length = 0; length <= 34 && !lexer->eof(lexer) && lexer->lookahead != '\n'; length++) {
        bool is_mark = lexer->lookahead == mark;
        if (lexer->lookahead == '/' || lexer->lookahead == '\\') return;
        if (lexer->lookahead == ']') return;
        advance(lexer);
        if (is_mark && lexer->lookahead == ']') {
            advance(lexer);
            return;
        }
    }
}

// Behind the first slash.
static bool scan_regex(TSLexer *lexer) {
    bool in_brackets = false;
    while (!lexer->eof(lexer) && lexer->lookahead != '\n') {
        switch (lexer->lookahead) {
        case '\\':
            advance(lexer);
            if (lexer->lookahead == '\r') advance(lexer);
            if (!lexer->eof(lexer)) advance(lexer);
            break;
        case '/':
            advance(lexer);
            if (!in_brackets) {
                lexer->mark_end(lexer);
                return true;
            }
            break;
        case '[':
            advance(lexer);
            if (in_brackets) {
                int32_t mark = lexer->lookahead;
                if (mark == ':' || mark == '.' || mark == '=') skip_class(lexer, mark);
                break;
            }
            in_brackets = true;
            if (lexer->lookahead == '^') advance(lexer);
            // A `]` right behind the bracket is a member.
            if (lexer->lookahead == ']') advance(lexer);
            break;
        case ']':
            in_brackets = false;
            advance(lexer);
            break;
        default:
            advance(lexer);
        }
    }
    return false;
}

bool tree_sitter_rhawk_external_scanner_scan(void *scanner, TSLexer *lexer, const bool *valid) {
    (void)scanner;
    // While the parser recovers everything is valid.
    if (valid[ERROR]) return false;
    while (lexer->lookahead == ' ' || lexer->lookahead == '\t' || lexer->lookahead == '\r') lexer->advance(lexer, true);
    if (valid[END_OF_BLOCK] && (lexer->lookahead == '}' || lexer->eof(lexer))) {
        lexer->mark_end(lexer);
        lexer->result_symbol = END_OF_BLOCK;
        return true;
    }
    if (lexer->lookahead != '/') return false;
    if (!valid[REGEX] && !valid[DIVIDE_ASSIGN] && !valid[EQUALS_REGEX]) return false;
    advance(lexer);
    if (valid[REGEX]) {
        lexer->result_symbol = REGEX;
        return scan_regex(lexer);
    }
    if (lexer->lookahead != '=') return false;
    if (valid[DIVIDE_ASSIGN]) {
        advance(lexer);
        lexer->mark_end(lexer);
        lexer->result_symbol = DIVIDE_ASSIGN;
        return true;
    }
    lexer->result_symbol = EQUALS_REGEX;
    return scan_regex(lexer);
}
