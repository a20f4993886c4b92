//! How a run ended.

use crate::Value;
use std::borrow::Cow;
use std::fmt;

/// How a run ended.
///
/// ```
/// use riverhawk::{Program, Run};
///
/// let program = Program::compile("{ print NF > \"/dev/stderr\" } END { exit NR }")?;
/// let outcome = program.run(Run::new().input("a b\nc\n"))?;
/// assert_eq!((outcome.status, outcome.records), (2, 2));
/// assert_eq!((outcome.stdout, outcome.stderr), (b"".to_vec(), b"2\n1\n".to_vec()));
/// # Ok::<(), riverhawk::Error>(())
/// ```
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The exit status: 0, or what the program says by `exit`.
    pub status: u8,
    /// What was printed, unless [`Run::stdout`](crate::Run::stdout) takes it.
    pub stdout: Vec<u8>,
    /// What was printed to the standard error, unless [`Run::stderr`](crate::Run::stderr) takes it.
    pub stderr: Vec<u8>,
    /// Records read of the main input.
    pub records: u64,
    pub(crate) variables: Vec<(String, Value)>,
}

impl Outcome {
    /// What was printed, as text; bytes that are no UTF-8 are replaced.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let outcome = Program::compile("BEGIN { printf \"a\\377\" }")?.run(Run::new())?;
    /// assert_eq!((outcome.text(), &*outcome.stdout), ("a\u{fffd}".into(), &b"a\xff"[..]));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.stdout)
    }

    /// A variable as the program left it, if [`Run::keep_variables`](crate::Run::keep_variables)
    /// asked for them and the program names it.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let run = Run::new().input("2\n3\n").keep_variables();
    /// let outcome = Program::compile("{ total += $1 }")?.run(run)?;
    /// assert_eq!(outcome.variable("total").map(|total| total.number()), Some(5.0));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// All variables that the program names, and `ARGC`, `ARGV`, `NR`, `FNR` and `NF`.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let outcome = Program::compile("BEGIN { a = 1; b = \"x\" }")?.run(Run::new().keep_variables())?;
    /// let mut names: Vec<_> = outcome.variables().map(|(name, _)| name).collect();
    /// names.sort_unstable();
    /// assert_eq!(names, ["ARGC", "ARGV", "FNR", "NF", "NR", "a", "b"]);
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn variables(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// As [`Outcome::variables`], without a copy.
    ///
    /// ```
    /// use riverhawk::{Program, Run, Value};
    /// use std::collections::HashMap;
    ///
    /// let outcome = Program::compile("{ n[$1]++ }")?.run(Run::new().input("a\na\n").keep_variables())?;
    /// let mut variables: HashMap<_, _> = outcome.into_variables().collect();
    /// assert_eq!(variables.remove("n").unwrap().get("a"), Some(&Value::Number(2.0)));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn into_variables(self) -> impl Iterator<Item = (String, Value)> {
        self.variables.into_iter()
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome")
            .field("status", &self.status)
            .field("stdout", &String::from_utf8_lossy(&self.stdout))
            .field("stderr", &String::from_utf8_lossy(&self.stderr))
            .field("records", &self.records)
            .field("variables", &self.variables)
            .finish()
    }
}
