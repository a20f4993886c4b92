//! A compiled program.

use crate::error::{CompileError, Diagnostic};
use crate::unwinding::Caught;
use crate::{Call, CallError, Dialect, Lint, Reply};
use riverhawk_engine::filesystem::FileSystem;
use riverhawk_engine::{CompileOptions, Compiled, HostDeclaration, HostFunction, Source, compile};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A compiled program: cheap to clone, and to be run any number of times, also by many threads at
/// once.
///
/// ```
/// use riverhawk::{Program, Run};
///
/// let longest = Program::compile("length($0) > m { m = length($0); l = $0 } END { print l }")?;
/// let outcome = longest.run(Run::new().input("a\nccc\nbb\n"))?;
/// assert_eq!(outcome.text(), "ccc\n");
/// # Ok::<(), riverhawk::Error>(())
/// ```
#[derive(Clone)]
pub struct Program(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub compiled: Compiled,
    pub warnings: Vec<Diagnostic>,
    pub functions: Vec<Arc<dyn HostFunction>>,
    pub dialect: Dialect,
    pub bignum: bool,
}

impl Program {
    /// Compiles a program of one text. A one-liner takes some ten microseconds.
    ///
    /// ```
    /// use riverhawk::Program;
    ///
    /// let error = Program::compile("{ print $1 + }").unwrap_err();
    /// assert_eq!(error.diagnostics()[0].location.as_ref().unwrap().column, 14);
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong with the text, each with its place.
    pub fn compile(text: impl Into<Vec<u8>>) -> Result<Program, CompileError> {
        Program::builder().source("program", text).compile()
    }

    /// What else a program can be compiled with.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let program = Program::builder()
    ///     .source("names", "function name() { return toupper($1) }")
    ///     .source("main", "{ print name() }")
    ///     .compile()?;
    /// assert_eq!(program.run(Run::new().input("tea 3\n"))?.text(), "TEA\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Warnings about the text, which compiles all the same.
    ///
    /// ```
    /// use riverhawk::Program;
    ///
    /// let program = Program::compile(r#"BEGIN { print "\q" }"#)?;
    /// assert!(program.warnings()[0].message.contains(r"\q"), "{:?}", program.warnings());
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.0.warnings
    }

    /// The program laid out as a person would.
    ///
    /// ```
    /// use riverhawk::Program;
    ///
    /// let program = Program::compile("NR>1{n+=$1}")?;
    /// assert_eq!(program.format(), b"NR > 1 {\n\tn += $1\n}\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn format(&self) -> Vec<u8> {
        self.0.compiled.format(None)
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("compiled", &self.0.compiled).finish_non_exhaustive()
    }
}

/// What a program is compiled with.
///
/// ```
/// use riverhawk::{Call, Program, Run};
///
/// let program = Program::builder()
///     .source("orders.awk", "{ print shout($1), $2 * 2 }")
///     .function("shout", 1..=1, |call: &mut Call<'_>| Ok(call.text(0).to_ascii_uppercase().into()))
///     .compile()?;
/// assert_eq!(program.run(Run::new().input("tea 2\n"))?.text(), "TEA 4\n");
/// # Ok::<(), riverhawk::Error>(())
/// ```
#[derive(Default)]
pub struct Builder {
    sources: Vec<Source>,
    options: CompileOptions,
    functions: Vec<Arc<dyn HostFunction>>,
}

impl Builder {
    /// Adds a text; several are one program. Messages call it by this name.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let program = Program::builder()
    ///     .source("rules.awk", "function double(n) { return n * 2 }")
    ///     .source("main.awk", "BEGIN { print double(4) }")
    ///     .compile()?;
    /// assert_eq!(program.run(Run::new())?.text(), "8\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn source(mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Builder {
        self.sources.push(Source::new(name, text));
        self
    }

    /// The dialect of the language; gawk's with Riverhawk's own additions if none is named.
    ///
    /// ```
    /// use riverhawk::{Dialect, Program};
    ///
    /// let gawks = || Program::builder().source("main", "BEGIN { switch (x) { case 1: print } }");
    /// assert!(gawks().compile().is_ok());
    /// assert!(gawks().dialect(Dialect::Posix).compile().is_err());
    /// ```
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Builder {
        self.options.dialect = dialect;
        self
    }

    /// Where `@include` reads files from. Without it a program includes nothing.
    ///
    /// ```
    /// use riverhawk::filesystem::MemoryFiles;
    /// use riverhawk::{Program, Run};
    ///
    /// let files = MemoryFiles::new();
    /// files.insert("double.awk", "function double(n) { return n * 2 }");
    /// let program = Program::builder()
    ///     .source("main", "@include \"double.awk\"\nBEGIN { print double(4) }")
    ///     .includes(files)
    ///     .compile()?;
    /// assert_eq!(program.run(Run::new())?.text(), "8\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn includes(mut self, files: impl FileSystem + 'static) -> Builder {
        self.options.include_from = Some(Arc::new(Caught(files)));
        self
    }

    /// What to warn of: what is wrong in the text is in [`Program::warnings`], and where
    /// [`Lint::suspicious`] is set, runs print to the standard error what only they can see.
    ///
    /// ```
    /// use riverhawk::{Lint, Program};
    ///
    /// let lint = Lint { suspicious: true, ..Lint::default() };
    /// let program = Program::builder().source("main", "{ if (x = 1) print }").lint(lint).compile()?;
    /// assert_eq!(program.warnings()[0].message, "assignment used in conditional context");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn lint(mut self, lint: Lint) -> Builder {
        self.options.lint = Some(lint);
        self
    }

    /// Arithmetic of any precision, as gawk's `-M`: integers are exact, other numbers have `PREC`
    /// bits. Everything is slower, and machine code is not made.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let program = Program::builder().source("main", "BEGIN { print 2 ^ 70 }").bignum().compile()?;
    /// assert_eq!(program.run(Run::new())?.text(), "1180591620717411303424\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn bignum(mut self) -> Builder {
        self.options.bignum = true;
        self
    }

    /// Integers are exact at any size, and other numbers are doubles: what identifiers of 64 bits
    /// in JSON need.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let add = |builder: riverhawk::Builder| builder.source("main", "{ print $1 + 1 }").compile();
    /// let input = || Run::new().input("9007199254740992\n");
    /// assert_eq!(add(Program::builder())?.run(input())?.text(), "9007199254740992\n");
    /// assert_eq!(add(Program::builder().exact_integers())?.run(input())?.text(), "9007199254740993\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn exact_integers(mut self) -> Builder {
        self.options.exact_integers = true;
        self
    }

    /// Characters are what a reader calls so, grapheme clusters, in `length`, `substr`, `index`
    /// and the like; in regular expressions they stay code points.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let program = Program::builder().source("main", "{ print length }").graphemes().compile()?;
    /// assert_eq!(program.run(Run::new().input("e\u{301}\n"))?.text(), "1\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn graphemes(mut self) -> Builder {
        self.options.graphemes = true;
        self
    }

    /// Characters are bytes, also in regular expressions. POSIX's dialect does not have it.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let program =
    ///     Program::builder().source("main", "{ print length }").characters_as_bytes().compile()?;
    /// assert_eq!(program.run(Run::new().input("é\n"))?.text(), "2\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn characters_as_bytes(mut self) -> Builder {
        self.options.characters_as_bytes = true;
        self
    }

    /// Adds a function that the program may call, with the number of its arguments. A name that the
    /// language or the program has already is an error of compilation, as is a call with another
    /// number of arguments.
    ///
    /// ```
    /// use riverhawk::{Call, Program, Run};
    ///
    /// let prices = |call: &mut Call<'_>| match &*call.text(0) {
    ///     b"tea" => Ok(3.into()),
    ///     _ => Err("it has no price".into()),
    /// };
    /// let program =
    ///     Program::builder().source("main", "{ print price($1) }").function("price", 1..=1, prices);
    /// let program = program.compile()?;
    /// assert_eq!(program.run(Run::new().input("tea\n"))?.text(), "3\n");
    /// let error = program.run(Run::new().input("tea\nmilk\n")).unwrap_err();
    /// assert!(error.message().contains("it has no price"));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn function(
        self,
        name: impl Into<String>,
        arguments: RangeInclusive<usize>,
        function: impl Fn(&mut Call<'_>) -> Result<Reply, CallError> + Send + Sync + 'static,
    ) -> Builder {
        self.declared(HostDeclaration::new(name, arguments), function)
    }

    /// As [`Builder::function`], and its result depends on its arguments alone, with no effect
    /// beside it: it may be called in [pieces](crate::Run::jobs), by several threads.
    ///
    /// ```
    /// use riverhawk::{Call, Program, Run};
    ///
    /// let program = Program::builder()
    ///     .source("main", "{ n += double($1) } END { print n }")
    ///     .pure_function("double", 1..=1, |call: &mut Call<'_>| Ok((2.0 * call.number(0)).into()))
    ///     .compile()?;
    /// let run = Run::new().input("1\n".repeat(100_000)).jobs(2);
    /// assert_eq!(program.run(run)?.text(), "200000\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn pure_function(
        self,
        name: impl Into<String>,
        arguments: RangeInclusive<usize>,
        function: impl Fn(&mut Call<'_>) -> Result<Reply, CallError> + Send + Sync + 'static,
    ) -> Builder {
        self.declared(HostDeclaration::new(name, arguments).pure(), function)
    }

    /// As [`Builder::function`], where the arguments at these positions, counted from 0, are arrays,
    /// which the function reads and changes.
    ///
    /// ```
    /// use riverhawk::{Call, Program, Run};
    ///
    /// let program = Program::builder()
    ///     .source("main", "{ n[$1]++ } END { forget(n, \"tea\"); print length(n) }")
    ///     .function_of_arrays("forget", 2..=2, [0], |call: &mut Call<'_>| {
    ///         let array = call.array(0).ok_or("an array is wanted")?;
    ///         Ok(array.remove(&*call.text(1)).into())
    ///     })
    ///     .compile()?;
    /// assert_eq!(program.run(Run::new().input("tea\nmilk\n"))?.text(), "1\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn function_of_arrays(
        self,
        name: impl Into<String>,
        arguments: RangeInclusive<usize>,
        arrays: impl IntoIterator<Item = usize>,
        function: impl Fn(&mut Call<'_>) -> Result<Reply, CallError> + Send + Sync + 'static,
    ) -> Builder {
        let declaration = HostDeclaration::new(name, arguments);
        let declaration = arrays.into_iter().fold(declaration, HostDeclaration::with_array);
        self.declared(declaration, function)
    }

    fn declared(
        mut self,
        declaration: HostDeclaration,
        function: impl HostFunction + 'static,
    ) -> Builder {
        self.options.host_functions.push(declaration);
        self.functions.push(Arc::new(function));
        self
    }

    /// Compiles the program.
    ///
    /// ```
    /// use riverhawk::Program;
    ///
    /// let error = Program::builder().source("rules.awk", "{ print ) }").compile().unwrap_err();
    /// assert_eq!(error.diagnostics()[0].location.as_ref().unwrap().source, "rules.awk");
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong with its texts, each with its place.
    pub fn compile(mut self) -> Result<Program, CompileError> {
        if self.options.include_from.is_none() {
            self.options.include_from = Some(Arc::new(NoFiles));
        }
        // Every run can be cancelled and limited.
        self.options.limited = true;
        self.options.quiet = true;
        self.options.characters_as_bytes &= self.options.dialect != Dialect::Posix;
        let (dialect, bignum) = (self.options.dialect, self.options.bignum);
        let functions = self.functions;
        let compiled =
            compile(self.sources, &self.options).map_err(|failure| CompileError::new(&failure))?;
        let warnings = Diagnostic::all(compiled.warnings(), compiled.sources());
        Ok(Program(Arc::new(Inner { compiled, warnings, functions, dialect, bignum })))
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("sources", &self.sources).finish_non_exhaustive()
    }
}

/// Nothing to include.
struct NoFiles;

impl FileSystem for NoFiles {
    fn open(&self, _: &[u8]) -> std::io::Result<riverhawk_engine::filesystem::InputStream> {
        let message = "nothing can be included here";
        Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_cross_threads() {
        fn crosses<T: Send + Sync + Clone>(_: &T) {}
        crosses(&Program::compile("BEGIN {}").unwrap());
    }
}
