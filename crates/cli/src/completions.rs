//! Completions for bash, zsh and fish, generated from the option table.

use crate::manual;
use crate::options::{ArgumentKind, Id, OPTIONS, Opt};
use riverhawk::engine::{Encodings, Extension, ProfileFormat};

/// For `bash-completion/completions/rhawk`.
pub fn bash() -> String {
    let words: Vec<String> = OPTIONS.iter().flat_map(spellings).collect();
    let mut cases = String::new();
    for opt in OPTIONS {
        let Some(argument) = opt.argument else { continue };
        let action = match argument.kind {
            ArgumentKind::File => "_rhawk_files".to_owned(),
            ArgumentKind::Library => "_rhawk_library".to_owned(),
            ArgumentKind::Profile => "_rhawk_profile".to_owned(),
            ArgumentKind::Text | ArgumentKind::Number => ":".to_owned(),
            kind => format!("_rhawk_words '{}'", values(kind).join(" ")),
        };
        // An optional argument is never the next word: only `--name=` takes it.
        let words =
            if argument.optional { format!("--{}=", opt.long) } else { with_equals(opt).join("|") };
        cases += &format!("        {words}) {action} ;;\n");
    }
    BASH.replace("@CASES@", &cases)
        .replace("@PROFILES@", &profiles().join(" "))
        .replace("@OPTIONS@", &words.join(" "))
}

const BASH: &str = r#"# Completion of rhawk for bash. Generated from the option table: do not edit.
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
        mapfile -t COMPREPLY < <(compgen -W '@PROFILES@' -- "$value"; compgen -f -- "$value")
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
@CASES@        *)
            if [[ $word == -* ]]; then _rhawk_words '@OPTIONS@'; else _rhawk_files; fi
            ;;
    esac
    # What stands before the last place where bash splits is there already.
    if [[ $value == *:* && $COMP_WORDBREAKS == *:* ]]; then
        before=${value%"${value##*:}"}
        for at in "${!COMPREPLY[@]}"; do COMPREPLY[at]=${COMPREPLY[at]#"$before"}; done
    fi
}
complete -F _rhawk rhawk
"#;

/// For a directory of `fpath`, as `_rhawk`.
pub fn zsh() -> String {
    let mut text = ZSH.replace("@PROFILES@", &profiles().join(" "));
    for opt in OPTIONS {
        let help = opt.help.replace('\'', "'\\''").replace('[', "\\[").replace(']', "\\]");
        let action = match opt.argument {
            None => String::new(),
            Some(argument) => {
                let values = match argument.kind {
                    ArgumentKind::File => "_files".to_owned(),
                    ArgumentKind::Library => "_rhawk_library".to_owned(),
                    ArgumentKind::Profile => "_rhawk_profile".to_owned(),
                    ArgumentKind::Text | ArgumentKind::Number => " ".to_owned(),
                    kind => format!("({})", values(kind).join(" ").replace(':', "\\:")),
                };
                let colon = if argument.optional { "::" } else { ":" };
                format!("{colon}{}:{values}", argument.name)
            }
        };
        // `+` takes the value from the same word or the next, `=` likewise after an equals sign;
        // `*` allows repetition.
        let (after_short, after_long) = match opt.argument {
            // `-` and `=-` take it from the same word only.
            Some(argument) if argument.optional => ("-", "=-"),
            Some(_) => ("+", "="),
            None => ("", ""),
        };
        // More flags follow -h.
        let (after_short, of_short) =
            if opt.id == Id::Help { ("", "") } else { (after_short, action.as_str()) };
        if let Some(short) = opt.short {
            text += &format!("  '*-{short}{after_short}[{help}]{of_short}' \\\n");
        }
        text += &format!("  '*--{}{after_long}[{help}]{action}' \\\n", opt.long);
    }
    text + "  '*:file:_files'\n"
}

const ZSH: &str = r#"#compdef rhawk
# Completion of rhawk for zsh. Generated from the option table: do not edit.
(( $+functions[_rhawk_library] )) || _rhawk_library() {
  local -a folders found
  folders=(${(s.:.)${AWKPATH:-.:/usr/local/share/awk:/usr/share/awk}})
  found=(${^folders}/*.awk(N:t))
  compadd -- inplace $found
  _files -g '*.awk'
}
(( $+functions[_rhawk_profile] )) || _rhawk_profile() {
  if compset -P '*:'; then
    _files
  else
    compadd -S '' -- @PROFILES@
    _files
  fi
}
_arguments -s -S -A '-*' \
"#;

/// For `completions/rhawk.fish`.
pub fn fish() -> String {
    let mut text = String::from(
        "# Completion of rhawk for fish. Generated from the option table: do not edit.\n",
    );
    for opt in OPTIONS {
        let short = opt.short.map_or_else(String::new, |short| format!(" -s {short}"));
        let is_optional = opt.argument.is_some_and(|argument| argument.optional);
        let argument = match opt.argument.map(|argument| argument.kind) {
            None => String::new(),
            Some(ArgumentKind::File | ArgumentKind::Text | ArgumentKind::Number) if is_optional => {
                String::new()
            }
            Some(ArgumentKind::File) => " -r -F".to_owned(),
            Some(ArgumentKind::Text | ArgumentKind::Number) => " -x".to_owned(),
            Some(ArgumentKind::Library) => format!(" -x -a '{FISH_LIBRARY}'"),
            Some(ArgumentKind::Profile) => format!(" -a '{}'", profiles().join(" ")),
            Some(kind) => format!(
                " {} -a '{}'",
                if is_optional { "-f" } else { "-x" },
                values(kind).join(" ")
            ),
        };
        let help = opt.help.replace('\\', "\\\\").replace('\'', "\\'");
        text += &format!("complete -c rhawk{short} -l {}{argument} -d '{help}'\n", opt.long);
    }
    text
}

/// Files in the folders of AWKPATH and below the working folder.
const FISH_LIBRARY: &str = "inplace (command ls -- (string split : -- \"$AWKPATH\") 2>/dev/null | string match \"*.awk\") (__fish_complete_suffix .awk)";

fn values(kind: ArgumentKind) -> Vec<String> {
    match kind {
        ArgumentKind::Choice(choices) => choices.iter().map(|choice| choice.to_string()).collect(),
        ArgumentKind::Encoding => {
            Encodings::new().iter().map(|encoding| encoding.name().to_lowercase()).collect()
        }
        ArgumentKind::Extension => {
            Extension::ALL.iter().map(|extension| extension.name().to_owned()).collect()
        }
        ArgumentKind::Topic => manual::names().into_iter().collect(),
        ArgumentKind::Text
        | ArgumentKind::File
        | ArgumentKind::Number
        | ArgumentKind::Library
        | ArgumentKind::Profile => Vec::new(),
    }
}

fn profiles() -> Vec<String> {
    ProfileFormat::ALL.iter().map(|format| format!("{}:", format.name())).collect()
}

/// An option before its argument: `-f`, `--file`, `--file=`.
fn with_equals(opt: &Opt) -> Vec<String> {
    spellings(opt).into_iter().chain([format!("--{}=", opt.long)]).collect()
}

fn spellings(opt: &Opt) -> Vec<String> {
    opt.short
        .map(|short| format!("-{short}"))
        .into_iter()
        .chain([format!("--{}", opt.long)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_in_every_completion() {
        for text in [bash(), zsh()] {
            for opt in OPTIONS {
                for spelling in spellings(opt) {
                    assert!(text.contains(&spelling), "{spelling}");
                }
            }
        }
        for opt in OPTIONS {
            assert!(fish().contains(&format!(" -l {}", opt.long)), "{}", opt.long);
        }
    }
}
