//! Reporting of errors.

use crate::error::{Error, ErrorMode, Failure, Operation, Result};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Continues after errors whose mode allows it.
pub trait Settle {
    /// The value of a success.
    type Value;

    /// `Some` result; `None` after a warning or a quiet error.
    ///
    /// ```
    /// use riverhawk_slurp::{ErrorMode, Settle, Slurp};
    ///
    /// let quiet = Slurp::new().errors(ErrorMode::Return);
    /// assert_eq!(quiet.read("/no/such/file").settle()?, None);
    /// assert_eq!(quiet.read("/dev/null").settle()?, Some(Vec::new()));
    /// assert!(Slurp::new().read("/no/such/file").settle().is_err());
    /// # Ok::<(), riverhawk_slurp::Error>(())
    /// ```
    ///
    /// # Errors
    /// The error, if its mode is [`ErrorMode::Raise`].
    fn settle(self) -> Result<Option<Self::Value>>;
}

impl<T> Settle for Result<T> {
    type Value = T;

    fn settle(self) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.mode() == ErrorMode::Raise => Err(error),
            Err(_) => Ok(None),
        }
    }
}

/// Replaces printing to standard error.
type WarningHook = Arc<dyn Fn(&Error) + Send + Sync>;

#[derive(Clone, Default)]
pub(crate) struct Reporting {
    pub(crate) mode: ErrorMode,
    hook: Option<WarningHook>,
}

impl Reporting {
    pub(crate) fn warn_with(hook: impl Fn(&Error) + Send + Sync + 'static) -> Self {
        Self { mode: ErrorMode::Warn, hook: Some(Arc::new(hook)) }
    }

    /// Adds operation and path to a failure, and warns if the mode says so.
    #[inline]
    pub(crate) fn finish<T>(
        &self,
        operation: Operation,
        path: &Path,
        result: Result<T, Failure>,
    ) -> Result<T> {
        result.map_err(|failure| self.report(operation, path, failure))
    }

    #[cold]
    pub(crate) fn report(&self, operation: Operation, path: &Path, failure: Failure) -> Error {
        let Failure { step, kind, source } = failure;
        let error = Error { operation, step, path: path.to_owned(), kind, source, mode: self.mode };
        if self.mode == ErrorMode::Warn {
            match &self.hook {
                Some(hook) => hook(&error),
                // `eprintln!` panics if standard error cannot be written.
                None => drop(writeln!(io::stderr(), "{error}")),
            }
        }
        error
    }
}

impl fmt::Debug for Reporting {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Reporting")
            .field("mode", &self.mode)
            .field("hook", &self.hook.is_some())
            .finish()
    }
}

/// Options for errors: methods over a builder's field `reporting`.
macro_rules! reporting_options {
    () => {
        /// Sets how errors are reported.
        #[must_use]
        pub fn errors(mut self, mode: crate::error::ErrorMode) -> Self {
            self.reporting.mode = mode;
            self
        }

        /// Reports errors to `hook`; the program may continue.
        #[must_use]
        pub fn warn_with(mut self, hook: impl Fn(&crate::Error) + Send + Sync + 'static) -> Self {
            self.reporting = crate::reporting::Reporting::warn_with(hook);
            self
        }
    };
}

pub(crate) use reporting_options;
