# Completion of rhawk for bash. Generated from the option table: do not edit.
_rhawk() {
    local option= value=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    # Bash splits --name=value into three words.
    if [[ $value == '=' ]]; then
        option=${COMP_WORDS[COMP_CWORD-1]} value=
    elif [[ ${COMP_WORDS[COMP_CWORD-1]} == '=' ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]}
    else
        option=${COMP_WORDS[COMP_CWORD-1]}
    fi
    case $option in
        -F|--field-separator) :; return ;;
        -v|--assign) :; return ;;
        -f|--file) mapfile -t COMPREPLY < <(compgen -f -- "$value"); return ;;
        -e|--source) :; return ;;
        --encoding) :; return ;;
        --output-encoding) :; return ;;
        --line-ending) mapfile -t COMPREPLY < <(compgen -W 'lf crlf any' -- "$value"); return ;;
        --csv-separator) :; return ;;
        --decompress-limit) :; return ;;
        --in-place) :; return ;;
        -i|--include) :; return ;;
        -j|--jobs) :; return ;;
        --piece-size) :; return ;;
        --inline-log) mapfile -t COMPREPLY < <(compgen -f -- "$value"); return ;;
        --spesh-log) mapfile -t COMPREPLY < <(compgen -f -- "$value"); return ;;
        --spesh-limit) :; return ;;
        --spesh-buffer) :; return ;;
        --dump) mapfile -t COMPREPLY < <(compgen -W 'ast bytecode ir asm' -- "$value"); return ;;
        --window-size) :; return ;;
    esac
    if [[ $value == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '-F --field-separator -v --assign -f --file -e --source -b --characters-as-bytes -h --help -V --version --encoding --output-encoding --line-ending --strip-bom --graphemes -k --csv --tsv --jsonl --output-jsonl --csv-separator --output-csv --output-tsv -H --header --keep-header --strict --no-decompress --decompress-limit --compress-output --in-place -i --include -j --jobs --explain --relaxed-sums --progress --piece-size --no-jit --no-osr --no-inline --inline-log --spesh-log --spesh-blocking --spesh-nodelay --spesh-limit --spesh-buffer --dump --stats --window-size' -- "$value")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$value")
    fi
}
complete -o filenames -F _rhawk rhawk
