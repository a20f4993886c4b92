(comment) @comment
(string) @string
(regex) @string.regexp
(number) @number

(identifier) @variable
((identifier) @variable.builtin
  (#match? @variable.builtin "^(ARGC|ARGIND|ARGV|BINMODE|CONVFMT|ENCODING|ENVIRON|ERRNO|FIELDS|FIELDWIDTHS|FILENAME|FNR|FPAT|FS|FUNCTAB|IGNORECASE|LINT|NF|NR|OFMT|OFS|ORS|PREC|PROCINFO|ROUNDMODE|RLENGTH|RS|RSTART|RT|SUBSEP|SYMTAB|TEXTDOMAIN)$"))
(column (string) @property)
(field "$" @operator)

(parameters (identifier) @variable.parameter)
(function_definition name: (identifier) @function)
(function_call name: (identifier) @function.call)
(indirect_call name: (identifier) @variable)
(built_in) @function.builtin

[
  "BEGIN" "END" "BEGINFILE" "ENDFILE"
] @keyword

["function" "func"] @keyword.function
["return"] @keyword.return
["if" "else" "switch" "case" "default"] @keyword.conditional
["while" "do" "for"] @keyword.repeat
["in" "getline" "print" "printf" "delete" "exit"] @keyword
[(break_statement) (continue_statement) (next_statement) (nextfile_statement)] @keyword
["include" "load" "namespace"] @keyword.import
(directive "@" @keyword.import)

[
  "=" "+=" "-=" "*=" "/=" "%=" "^=" "**="
  "||" "&&" "!" "~" "!~" "<" "<=" "==" "!=" ">" ">=" ">>"
  "+" "-" "*" "/" "%" "^" "**" "++" "--" "|" "|&" "?" ":"
] @operator

["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";"] @punctuation.delimiter
