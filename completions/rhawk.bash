# Completion of rhawk for bash. Generated from the option table: do not edit.
_rhawk_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$value"); }
_rhawk_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$value")
}
_rhawk_library() {
    local folder found names=inplace
    local -a folders
    IFS=: read -r -a folders <<< "${AWKPATH:-.:/usr/local/share/awk:/usr/share/awk}"
    for folder in "${folders[@]}"; do
        for found in "${folder:-.}"/*.awk; do [[ -e $found ]] && names+=" ${found##*/}"; done
    done
    mapfile -t COMPREPLY < <({ compgen -W "$names" -- "$value"; compgen -d -S / -- "$value"; compgen -f -X '!*.awk' -- "$value"; } | sort -u)
}
_rhawk_profile() {
    if [[ $value == *:* ]]; then
        local before=${value%%:*}: found
        mapfile -t COMPREPLY < <(compgen -f -P "$before" -- "${value#*:}")
    else
        compopt -o nospace 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -W 'text: callgrind: folded: svg:' -- "$value"; compgen -f -- "$value")
    fi
}
_rhawk() {
    # Bash splits words at = and :, so the line is read anew.
    local line=${COMP_LINE:0:COMP_POINT} word before option value at
    word=${line##*[[:space:]]}
    if [[ $word == --*=* ]]; then
        option=${word%%=*}= value=${word#*=}
    else
        before=${line%"$word"}
        before=${before%"${before##*[![:space:]]}"}
        option=${before##*[[:space:]]} value=$word
    fi
    COMPREPLY=()
    case $option in
        -F|--field-separator|--field-separator=) : ;;
        -v|--assign|--assign=) : ;;
        -f|--file|--file=) _rhawk_files ;;
        -e|--source|--source=) : ;;
        --dump-variables=) _rhawk_files ;;
        --debug=) _rhawk_files ;;
        -E|--exec|--exec=) _rhawk_files ;;
        --lint=) _rhawk_words 'fatal invalid no-ext portable off' ;;
        -l|--load|--load=) _rhawk_words 'filefuncs fnmatch fork intdiv ordchr readdir readfile revoutput revtwoway rwarray time' ;;
        --pretty-print=) _rhawk_files ;;
        --profile=) _rhawk_profile ;;
        --help=) _rhawk_words 'ARGC ARGIND ARGV BEGIN BEGINFILE BINMODE CONVFMT ENCODING END ENDFILE ENVIRON ERRNO FIELDS FIELDWIDTHS FILENAME FNR FPAT FS FUNCTAB IGNORECASE LINT NF NR OFMT OFS ORS PREC PROCINFO RLENGTH ROUNDMODE RS RSTART RT SUBSEP SYMTAB TEXTDOMAIN all and array array:: array::append array::by_value array::contains array::copy array::count array::equal array::group array::index_of array::invert array::keys array::pop array::push array::range array::reverse array::shuffle array::slice array::top array::unique array::values arrays asort asorti assert assert:: assert::different assert::equal assert::fail assert::false assert::matches assert::near assert::true atan2 atime atomic bindtextdomain blksize blocks break case close cluster coming-from command command-line compl continue control conversions coprocesses cos ctime dcgettext dcngettext delete dev devbsize do editors environment errors exit exp expressions fflush fields file::append file::dir file::edit file::edit_lines file::lines file::prepend file::slurp file::spew file::stat filefuncs files fnmatch follow for fork function functions gawk gawk-language gensub getline gid gsub if in in-place index ino input int intdiv isarray json::false json::format json::null json::parse json::true length library linkval lint lint-codes lock log lshift major match math math:: math::abs math::ceil math::clamp math::floor math::gcd math::greatest math::least math::log10 math::log2 math::max math::mean math::median math::min math::mod math::percentile math::pi math::product math::pstddev math::pvariance math::round math::sign math::stddev math::sum math::variance minor mkbool mktime mode mtime name next nextfile nlink no_clobber number numbers options or ordchr output parallel patsplit pattern patterns performance pmode precise print printf profiling rand rdev readdir readfile recipes records regex regexp return revoutput revtwoway rs rshift rwarray sin size split sprintf sqrt srand start streams strftime string strings strnum strtonum sub substr switch sync system systime tables testing text text::after text::before text::capitalize text::center text::codepoints text::contains text::count text::decode text::encode text::ends_with text::graphemes text::html_escape text::join text::lines text::ltrim text::matches text::normalize text::pad_left text::pad_right text::regex text::regex_escape text::repeat text::replace text::reverse text::rtrim text::squeeze text::starts_with text::trim text::url_decode text::url_encode text::width time time:: time::add time::duration time::format time::make time::now time::parse time::seconds tolower topics toupper type typeof uid unassigned untyped variables while xor' ;;
        --encoding|--encoding=) _rhawk_words 'utf-8 utf-8-c8 utf-16 utf-16le utf-16be ascii iso-8859-1 big5 euc-jp euc-kr gb18030 gbk ibm866 iso-2022-jp iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh shift_jis windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic x-user-defined' ;;
        --output-encoding|--output-encoding=) _rhawk_words 'utf-8 utf-8-c8 utf-16 utf-16le utf-16be ascii iso-8859-1 big5 euc-jp euc-kr gb18030 gbk ibm866 iso-2022-jp iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh shift_jis windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic x-user-defined' ;;
        --line-ending|--line-ending=) _rhawk_words 'lf crlf any' ;;
        --csv-separator|--csv-separator=) : ;;
        --output-separator|--output-separator=) : ;;
        --strict=) _rhawk_words 'warn' ;;
        --decompress-limit|--decompress-limit=) : ;;
        --in-place=) : ;;
        -i|--include|--include=) _rhawk_library ;;
        -j|--jobs|--jobs=) : ;;
        --pool-log|--pool-log=) _rhawk_files ;;
        --piece-size|--piece-size=) : ;;
        --message-format|--message-format=) _rhawk_words 'human short json github sarif' ;;
        --color|--color=) _rhawk_words 'auto always never' ;;
        --no-pass|--no-pass=) _rhawk_words 'conditions dead forms headers integers invariants locals parameters views' ;;
        --inline-log|--inline-log=) _rhawk_files ;;
        --spesh-log|--spesh-log=) _rhawk_files ;;
        --spesh-limit|--spesh-limit=) : ;;
        --spesh-buffer|--spesh-buffer=) : ;;
        --library|--library=) _rhawk_words 'array math text' ;;
        --dump|--dump=) _rhawk_words 'ast bytecode ir asm' ;;
        --format=) : ;;
        --test=) _rhawk_words 'human tap junit' ;;
        --test-only|--test-only=) : ;;
        --coverage|--coverage=) : ;;
        --memory-limit|--memory-limit=) : ;;
        --timeout|--timeout=) : ;;
        --max-record|--max-record=) : ;;
        --max-output|--max-output=) : ;;
        --max-steps|--max-steps=) : ;;
        --max-records|--max-records=) : ;;
        --window-size|--window-size=) : ;;
        *)
            if [[ $word == -* ]]; then _rhawk_words '-F --field-separator -v --assign -f --file -e --source -S --sandbox -t --lint-old -b --characters-as-bytes -c --traditional -C --copyright -d --dump-variables -D --debug -E --exec -g --gen-pot -I --trace -L --lint -l --load -N --use-lc-numeric -M --bignum --exact-integers -n --non-decimal-data -O --optimize -o --pretty-print -p --profile -P --posix -r --re-interval -s --no-optimize -h --help -V --version --encoding --output-encoding --line-ending --strip-bom --graphemes -k --csv --tsv --jsonl --json --edit --output-jsonl --output-json --csv-separator --output-csv --output-tsv --output-separator --output-table --output-markdown --output-html -H --header --keep-header --strict --no-decompress --decompress-limit --compress-output --in-place --diff --dry-run --allow-empty --follow -i --include -j --jobs --explain --relaxed-sums --progress --pool-log --piece-size --message-format --color --no-jit --no-osr --no-inline --no-pass --inline-log --perf-map --jitdump --spesh-log --spesh-blocking --spesh-nodelay --spesh-limit --spesh-buffer --library --dump --check --fix --format --test --test-only --coverage --lsp --dap --stats --memory-limit --timeout --max-record --max-output --max-steps --max-records --window-size'; else _rhawk_files; fi
            ;;
    esac
    # What stands before the last place where bash splits is there already.
    if [[ $value == *:* && $COMP_WORDBREAKS == *:* ]]; then
        before=${value%"${value##*:}"}
        for at in "${!COMPREPLY[@]}"; do COMPREPLY[at]=${COMPREPLY[at]#"$before"}; done
    fi
}
complete -F _rhawk rhawk
