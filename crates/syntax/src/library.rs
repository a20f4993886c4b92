//! The library: built-in functions that live in namespaces (`file::slurp`, `text::graphemes`), so that no existing program can
//! have meant something else by their names.
//!
//! One row a function: what it does, its name, the parameters that every call gives, then those that it may leave out. Parser,
//! compiler, bytecode, machine and the chapter `docs/library.md` go by this table; a function without a namespace would be one
//! more row.

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// The value of any expression.
    Value,
    /// The name of an array, which the function fills.
    Array,
}

/// A parameter of a library function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the documentation.
    pub name: &'static str,
    /// What it takes.
    pub kind: ParameterKind,
}

macro_rules! library {
    ($(
        $(#[doc = $doc:literal])*
        $variant:ident $name:literal ($($required:ident: $required_kind:ident),*) [$($optional:ident: $optional_kind:ident),*];
    )*) => {
        /// A library function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum LibraryFn { $($(#[doc = $doc])* $variant),* }

        impl LibraryFn {
            /// All of them, in the table's order.
            pub const ALL: &'static [LibraryFn] = &[$(LibraryFn::$variant),*];

            /// The name a program uses, with its namespace.
            pub fn name(self) -> &'static str {
                match self { $(LibraryFn::$variant => $name),* }
            }

            /// The parameters in order.
            pub fn parameters(self) -> &'static [Parameter] {
                match self {$(
                    LibraryFn::$variant => const { &[
                        $(Parameter { name: stringify!($required), kind: ParameterKind::$required_kind },)*
                        $(Parameter { name: stringify!($optional), kind: ParameterKind::$optional_kind },)*
                    ] },
                )*}
            }

            /// How many of the parameters a call may leave out, from the end.
            fn optional(self) -> usize {
                match self { $(LibraryFn::$variant => const { let names: &[&str] = &[$(stringify!($optional)),*]; names.len() }),* }
            }

            /// What it does, in words.
            pub fn documentation(self) -> &'static str {
                match self { $(LibraryFn::$variant => concat!($($doc, "\n"),*).trim_ascii()),* }
            }
        }
    };
}

library! {
    /// The text of a whole file; nothing assigned when it cannot be read.
    FileSlurp "file::slurp" (path: Value) [];
    /// The lines of a file become the array, from 1; how many, or -1.
    FileLines "file::lines" (path: Value, array: Array) [];
    /// The text becomes the content of the file; 1, or -1.
    FileSpew "file::spew" (path: Value, text: Value) [];
    /// The text comes after what the file holds; 1, or -1.
    FileAppend "file::append" (path: Value, text: Value) [];
    /// The text comes before what the file holds; 1, or -1.
    FilePrepend "file::prepend" (path: Value, text: Value) [];
    /// The names in a directory become the array, from 1 and sorted; how many, or -1.
    FileDir "file::dir" (path: Value, array: Array) [];
    /// What the system knows about a file becomes the array; 1, or -1.
    FileStat "file::stat" (path: Value, array: Array) [follow: Value];
    /// How many grapheme clusters the text has; they become the array, from 1.
    TextGraphemes "text::graphemes" (s: Value) [array: Array];
    /// How many code points the text has; they become the array, from 1.
    TextCodepoints "text::codepoints" (s: Value) [array: Array];
    /// The text in a normal form: NFC, NFD, NFKC or NFKD.
    TextNormalize "text::normalize" (s: Value) [form: Value];
    /// How many columns of a terminal the text takes.
    TextWidth "text::width" (s: Value) [];
    /// The text with old replaced by new wherever it stands, or the first count times.
    TextReplace "text::replace" (s: Value, old: Value, new: Value) [count: Value];
    /// The text with the characters that mean something in HTML replaced by references.
    TextHtmlEscape "text::html_escape" (s: Value) [];
    /// The text with the character references of HTML replaced by what they stand for.
    TextHtmlUnescape "text::html_unescape" (s: Value) [];
    /// The text with every byte that may not stand in a part of a URL as %XX.
    TextUrlEncode "text::url_encode" (s: Value) [];
    /// The text with every %XX replaced by the byte that it stands for.
    TextUrlDecode "text::url_decode" (s: Value) [];
    /// The text as the bytes that it is in an encoding; nothing assigned when it cannot be written so.
    TextEncode "text::encode" (s: Value, encoding: Value) [];
    /// The text that bytes are in an encoding; nothing assigned when they are not valid in it.
    TextDecode "text::decode" (s: Value, encoding: Value) [];
}

impl LibraryFn {
    /// The namespaces that the library has for itself.
    pub const NAMESPACES: &'static [&'static str] = &["file", "text"];

    /// The function with this name.
    pub fn from_name(name: &str) -> Option<LibraryFn> {
        LibraryFn::ALL.iter().copied().find(|function| function.name() == name)
    }

    /// The functions of a namespace, in the table's order.
    pub fn of_namespace(namespace: &str) -> impl Iterator<Item = LibraryFn> {
        let inside = move |function: &LibraryFn| function.namespace() == Some(namespace);
        LibraryFn::ALL.iter().copied().filter(inside)
    }

    /// The namespace in its name.
    pub fn namespace(self) -> Option<&'static str> {
        self.name().split_once("::").map(|(namespace, _)| namespace)
    }

    /// Its name without the namespace.
    pub fn plain_name(self) -> &'static str {
        self.name().split_once("::").map_or(self.name(), |(_, name)| name)
    }

    /// Least and greatest number of arguments.
    pub fn arity(self) -> (usize, usize) {
        let most = self.parameters().len();
        (most - self.optional(), most)
    }

    /// What the argument at this index, from 0, must be.
    pub fn parameter(self, at: usize) -> ParameterKind {
        self.parameters().get(at).map_or(ParameterKind::Value, |parameter| parameter.kind)
    }

    /// Whether it has a parameter that it fills.
    pub fn fills_arrays(self) -> bool {
        self.parameters().iter().any(|parameter| parameter.kind == ParameterKind::Array)
    }

    /// Name and parameters as the documentation writes them: `text::graphemes(s [, array])`.
    pub fn signature(self) -> String {
        let least = self.arity().0;
        let mut signature = format!("{}(", self.name());
        for (at, parameter) in self.parameters().iter().enumerate() {
            if at >= least {
                signature.push_str(if at > 0 { " [" } else { "[" });
            }
            if at > 0 {
                signature.push_str(", ");
            }
            signature.push_str(parameter.name);
        }
        signature.push_str(&"]".repeat(self.optional()));
        signature.push(')');
        signature
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_lives_in_one_of_the_namespaces_and_is_found_by_its_name() {
        for &function in LibraryFn::ALL {
            assert_eq!(LibraryFn::from_name(function.name()), Some(function));
            let namespace = function.namespace().expect("a namespace");
            assert!(LibraryFn::NAMESPACES.contains(&namespace), "{}", function.name());
            assert!(LibraryFn::of_namespace(namespace).any(|found| found == function));
            assert_eq!(format!("{namespace}::{}", function.plain_name()), function.name());
            assert!(!function.documentation().is_empty());
        }
        assert_eq!(LibraryFn::from_name("file::nothing"), None);
        assert_eq!(LibraryFn::from_name("slurp"), None);
    }

    #[test]
    fn a_signature_puts_what_may_be_left_out_in_brackets() {
        for (function, arity, signature) in [
            (LibraryFn::FileSlurp, (1, 1), "file::slurp(path)"),
            (LibraryFn::FileLines, (2, 2), "file::lines(path, array)"),
            (LibraryFn::TextGraphemes, (1, 2), "text::graphemes(s [, array])"),
            (LibraryFn::TextReplace, (3, 4), "text::replace(s, old, new [, count])"),
        ] {
            assert_eq!((function.arity(), function.signature().as_str()), (arity, signature));
        }
    }

    #[test]
    fn arrays_stand_where_the_table_says() {
        assert_eq!(LibraryFn::FileLines.parameter(0), ParameterKind::Value);
        assert_eq!(LibraryFn::FileLines.parameter(1), ParameterKind::Array);
        assert!(LibraryFn::TextGraphemes.fills_arrays());
        assert!(!LibraryFn::FileSpew.fills_arrays());
    }
}
