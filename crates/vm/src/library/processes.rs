//! gawk's extension `fork`.
//!
//! fork(2) copies only the calling thread, so a lock held by another thread stays locked in the
//! copy. Therefore a program that loads the extension runs without the specialiser and on one
//! thread, and `fork` fails if there is any other thread.
//!
//! Output is flushed before, so that it does not appear twice. gawk leaves this to the program.

use super::Failure;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::outside::Outside;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_value::{Probe, Value};
use std::io;

impl Outside {
    pub(super) fn fork(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
    ) -> Fallible<Value> {
        self.io.outputs.flush_all()?;
        if self.in_place.is_some() {
            return Err(Fault::new(
                "fork: not allowed while files are edited in place: both processes would replace them",
            ));
        }
        riverhawk_pool::process::end_if_idle();
        match crate::system::other_threads() {
            Ok(names) if names.is_empty() => {}
            Ok(names) => {
                let names = names.join("', `");
                return Err(Fault::new(format!(
                    "fork: not allowed while other threads run: `{names}'"
                )));
            }
            Err(error) => {
                let reason = riverhawk_awkio::Reason(&error).to_string();
                return Err(Fault::new(format!(
                    "fork: cannot tell whether other threads are at work: {reason}"
                )));
            }
        }
        let copy = crate::system::fork();
        if matches!(copy, Ok(0))
            && let Some(array) = globals.process.array()
        {
            let parent = crate::system::parent();
            array.borrow_mut().set(
                Probe::from_text(b"pid"),
                Value::Num(f64::from(crate::system::this_process())),
            );
            array.borrow_mut().set(Probe::from_text(b"ppid"), Value::Num(f64::from(parent)));
        }
        Ok(globals.process_or_failure(current, copy))
    }

    pub(super) fn wait_for_any(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
    ) -> Fallible<Value> {
        self.io.outputs.flush_all()?;
        Ok(globals.process_or_failure(current, crate::system::wait_for_any()))
    }
}

impl Globals {
    /// `waitpid(pid)`: its number if it ended or stopped, 0 if not, -1 on failure. As in gawk it
    /// does not wait.
    pub(super) fn waitpid(&mut self, current: &mut CurrentRecord, pid: &Value) -> Value {
        let pid = current.number(pid) as i32;
        self.process_or_failure(current, crate::system::has_ended(pid))
    }

    fn process_or_failure(&mut self, current: &mut CurrentRecord, found: io::Result<i32>) -> Value {
        let found = found.unwrap_or_else(|error| {
            self.note_failure(current, &Failure::from(error));
            -1
        });
        Value::Num(f64::from(found))
    }
}
