# Completion of rhawk for bash. Generated from the option table: do not edit.
_rhawk() {
    local option= joined= value=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    # Bash splits --name=value into three words.
    if [[ $value == '=' ]]; then
        option=${COMP_WORDS[COMP_CWORD-1]} value= joined=1
    elif [[ ${COMP_WORDS[COMP_CWORD-1]} == '=' ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]} joined=1
    else
        option=${COMP_WORDS[COMP_CWORD-1]}
    fi
    case $option in
        -F|--field-separator) :; return ;;
        -v|--assign) :; return ;;
        -f|--file) mapfile -t COMPREPLY < <(compgen -f -- "$value"); return ;;
        -e|--source) :; return ;;
        --dump-variables) [[ $joined ]] && { mapfile -t COMPREPLY < <(compgen -f -- "$value"); return; } ;;
        --debug) [[ $joined ]] && { mapfile -t COMPREPLY < <(compgen -f -- "$value"); return; } ;;
        -E|--exec) mapfile -t COMPREPLY < <(compgen -f -- "$value"); return ;;
        --lint) [[ $joined ]] && { mapfile -t COMPREPLY < <(compgen -W 'fatal invalid no-ext portable off' -- "$value"); return; } ;;
        -l|--load) :; return ;;
        --pretty-print) [[ $joined ]] && { mapfile -t COMPREPLY < <(compgen -f -- "$value"); return; } ;;
        --profile) [[ $joined ]] && { mapfile -t COMPREPLY < <(compgen -f -- "$value"); return; } ;;
        --encoding) :; return ;;
        --output-encoding) :; return ;;
        --line-ending) mapfile -t COMPREPLY < <(compgen -W 'lf crlf any' -- "$value"); return ;;
        --csv-separator) :; return ;;
        --decompress-limit) :; return ;;
        --in-place) [[ $joined ]] && { :; return; } ;;
        -i|--include) :; return ;;
        -j|--jobs) :; return ;;
        --piece-size) :; return ;;
        --message-format) mapfile -t COMPREPLY < <(compgen -W 'human short json' -- "$value"); return ;;
        --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$value"); return ;;
        --inline-log) mapfile -t COMPREPLY < <(compgen -f -- "$value"); return ;;
        --spesh-log) mapfile -t COMPREPLY < <(compgen -f -- "$value"); return ;;
        --spesh-limit) :; return ;;
        --spesh-buffer) :; return ;;
        --library) mapfile -t COMPREPLY < <(compgen -W 'array math text' -- "$value"); return ;;
        --dump) mapfile -t COMPREPLY < <(compgen -W 'ast bytecode ir asm' -- "$value"); return ;;
        --memory-limit) :; return ;;
        --window-size) :; return ;;
    esac
    if [[ $value == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '-F --field-separator -v --assign -f --file -e --source -S --sandbox -t --lint-old -b --characters-as-bytes -c --traditional -C --copyright -d --dump-variables -D --debug -E --exec -g --gen-pot -I --trace -L --lint -l --load -N --use-lc-numeric -M --bignum -n --non-decimal-data -O --optimize -o --pretty-print -p --profile -P --posix -r --re-interval -s --no-optimize -h --help -V --version --encoding --output-encoding --line-ending --strip-bom --graphemes -k --csv --tsv --jsonl --output-jsonl --csv-separator --output-csv --output-tsv -H --header --keep-header --strict --no-decompress --decompress-limit --compress-output --in-place --diff --dry-run --allow-empty --follow -i --include -j --jobs --explain --relaxed-sums --progress --piece-size --message-format --color --no-jit --no-osr --no-inline --inline-log --perf-map --jitdump --spesh-log --spesh-blocking --spesh-nodelay --spesh-limit --spesh-buffer --library --dump --format --stats --memory-limit --window-size' -- "$value")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$value")
    fi
}
complete -o filenames -F _rhawk rhawk
