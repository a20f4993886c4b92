//! The part of the library written in awk: the files in `crates/syntax/library`, one for each
//! namespace. They are compiled into the binary, and parsed only in programs that call their
//! functions.
//!
//! The comment above a public function begins with its form, `# math::round(x [, digits])`, which
//! parser, documentation and tests use. A function without one is private to its namespace.

/// A namespace of the library.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// Its name.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

pub(crate) const WRITTEN: &[Written] = &[
    Written { name: "array", text: include_str!("../library/array.awk") },
    Written { name: "math", text: include_str!("../library/math.awk") },
    Written { name: "text", text: include_str!("../library/text.awk") },
];

/// A public function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenFn {
    /// How it is called.
    pub signature: &'static str,
}

impl WrittenFn {
    /// The public functions of all namespaces, in the order of the files.
    pub fn all() -> impl Iterator<Item = WrittenFn> {
        WRITTEN.iter().flat_map(|namespace| namespace.functions())
    }

    /// The function of this name.
    pub fn from_name(name: &str) -> Option<WrittenFn> {
        let (namespace, _) = name.split_once("::")?;
        Written::from_name(namespace)?.functions().find(|function| function.name() == name)
    }

    /// Its name with the namespace.
    pub fn name(self) -> &'static str {
        self.signature.split('(').next().unwrap_or_default()
    }

    /// Minimum and maximum number of arguments. Those in brackets are optional.
    pub fn arity(self) -> (usize, usize) {
        let parameters = &self.signature[self.name().len()..];
        let count = |text: &str| {
            text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .filter(|w| !w.is_empty())
                .count()
        };
        (count(parameters.split('[').next().unwrap_or_default()), count(parameters))
    }
}

impl Written {
    /// The namespace of this name.
    pub fn from_name(name: &str) -> Option<&'static Written> {
        WRITTEN.iter().find(|namespace| namespace.name == name)
    }

    /// The name of its text in messages.
    pub fn file_name(&self) -> String {
        format!("library/{}.awk", self.name)
    }

    /// The name of its text in the source map. No program can include this name.
    pub fn key(&self) -> Vec<u8> {
        [b"\0", self.name.as_bytes()].concat()
    }

    /// Its public functions.
    pub fn functions(&self) -> impl Iterator<Item = WrittenFn> + use<> {
        let is_of = |name: &str, call: &str| {
            call.strip_prefix(name).is_some_and(|rest| rest.starts_with("::"))
        };
        let name = self.name;
        self.text
            .lines()
            .filter_map(|line| line.strip_prefix("# "))
            .filter(move |call| is_of(name, call) && call.ends_with(')'))
            .map(|signature| WrittenFn { signature })
    }
}

pub(crate) fn mentions(text: &[u8], namespace: &str) -> bool {
    // An editor asks after each change: colons are searched for one by one, which is fastest.
    let mut from = 0;
    while let Some(at) = text[from..].iter().position(|&byte| byte == b':') {
        let colon = from + at;
        if text.get(colon + 1) == Some(&b':') && text[..colon].ends_with(namespace.as_bytes()) {
            return true;
        }
        from = colon + 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_goes_by_the_comment_above_it() {
        for function in WrittenFn::all() {
            let (namespace, plain) = function.name().split_once("::").expect("a namespace");
            let text = Written::from_name(namespace).expect("a namespace of the library").text;
            let definition = format!("\nfunction {plain}(");
            assert_eq!(text.matches(&definition).count(), 1, "{}", function.signature);
            let (_, after) = text.split_once(function.signature).expect("its comment");
            let code =
                after.lines().skip(1).find(|line| !line.starts_with('#')).expect("its definition");
            assert!(code.starts_with(definition.trim_start()), "{}: {code}", function.signature);
            let parameters = code.split(['(', ')']).nth(1).expect("parameters");
            let public = parameters.split(",  ").next().expect("public ones");
            let names = public.split(',').filter(|name| !name.trim().is_empty()).count();
            assert_eq!(names, function.arity().1, "{}", function.signature);
            assert_eq!(WrittenFn::from_name(function.name()), Some(function));
            assert!(
                crate::library::LibraryFn::from_name(function.name()).is_none(),
                "{}",
                function.signature
            );
        }
    }

    #[test]
    fn what_may_be_left_out_stands_in_brackets() {
        for (signature, arity) in
            [("m::f()", (0, 0)), ("m::f(a, b)", (2, 2)), ("m::f(a [, b [, c_2]])", (1, 3))]
        {
            assert_eq!(WrittenFn { signature }.arity(), arity);
        }
    }

    #[test]
    fn a_namespace_is_mentioned_by_a_name_in_it() {
        assert!(mentions(b"x + math::min(1, 2)", "math") && mentions(b"a::b; math::c", "math"));
        assert!(!mentions(b"math min : : math", "math") && !mentions(b"text::x", "math"));
    }
}
