//! Names in strings, of encodings or normal forms. An unknown one is an error, with a suggestion.

use riverhawk_awkio::fault::Fault;
use riverhawk_syntax::nearest;

/// `aliases` may be suggested but are not all listed.
#[cold]
pub fn unknown_name<'n>(
    function: &str,
    what: &str,
    name: &[u8],
    names: &[&'n str],
    aliases: impl Iterator<Item = &'n str>,
) -> Fault {
    let name = String::from_utf8_lossy(name);
    let meant = match nearest(&name, names.iter().copied().chain(aliases)) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("there are {}", names.join(", ")),
    };
    Fault::new(format!("{function}: there is no {what} \"{name}\"; {meant}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_near_a_known_one_is_told_so_and_another_is_told_all_of_them() {
        let told = |name: &str| {
            let aliases = ["latin1"].into_iter();
            unknown_name("f", "form", name.as_bytes(), &["nfkc", "utf-8"], aliases).message()
        };
        assert_eq!(told("utf8-"), "f: there is no form \"utf8-\"; did you mean \"utf-8\"?");
        assert_eq!(told("latin-1"), "f: there is no form \"latin-1\"; did you mean \"latin1\"?");
        assert_eq!(told(""), "f: there is no form \"\"; there are nfkc, utf-8");
    }
}
