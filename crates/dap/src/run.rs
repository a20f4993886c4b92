//! The run, on a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::Builder;

use riverhawk_engine::{Outcome, Renderer, Streams};
use serde_json::json;

use crate::control::Control;
use crate::launch::Prepared;
use crate::outbox::{Category, Outbox};
use crate::stops::Stops;

/// A program that was launched and waits for the end of the configuration.
pub(crate) struct Launched {
    pub prepared: Prepared,
    pub streams: Streams,
    pub stops: Stops,
}

/// Starts the run. The receiver hears when it has ended.
pub(crate) fn start(
    launched: Launched,
    control: &Arc<Control>,
    outbox: &Outbox,
) -> Result<Receiver<()>, String> {
    let (sender, ended) = channel();
    let (control, outbox) = (control.clone(), outbox.clone());
    let run = move || {
        let status = catch_unwind(AssertUnwindSafe(|| run(launched, &control, &outbox)));
        let status = status.unwrap_or_else(|_| {
            outbox.show(Category::Stderr, "rhawk: internal error in the run\n");
            Outcome::FATAL
        });
        outbox.event("exited", json!({"exitCode": status}));
        outbox.event("terminated", serde_json::Value::Null);
        // Without a receiver the session is over.
        let _ = sender.send(());
    };
    let started = Builder::new().name("run".to_owned()).spawn(run);
    started.map(|_| ended).map_err(|error| format!("cannot start a thread for the run: {error}"))
}

/// Gives the exit status.
fn run(launched: Launched, control: &Control, outbox: &Outbox) -> u8 {
    let Launched { prepared, streams, stops } = launched;
    let Prepared { compiled, mut config, .. } = prepared;
    config.machine.cancel = Some(control.cancel.clone());
    let name = String::from_utf8_lossy(&config.machine.command_line.program_name).into_owned();
    let outcome = compiled.run_observed(streams, config, Box::new(stops));
    let renderer = Renderer::plain(name);
    for warning in &outcome.unreached {
        outbox.show(Category::Stderr, &renderer.diagnostic(compiled.sources(), warning));
    }
    // What the editor ended has no error.
    let errors = outcome.errors.iter().filter(|error| !error.message.is_empty());
    for error in errors.filter(|_| !control.is_ending()) {
        outbox.show(Category::Stderr, &renderer.runtime_error(compiled.sources(), error));
    }
    outcome.status
}
