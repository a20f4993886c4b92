//! What is sent to the editor, from both threads.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::framing::send;
use crate::protocol::Request;

/// Where a text that is shown comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Category {
    /// The program's output.
    Stdout,
    /// Its errors.
    Stderr,
    /// The debugger.
    Console,
}

impl Category {
    fn name(self) -> &'static str {
        match self {
            Category::Stdout => "stdout",
            Category::Stderr => "stderr",
            Category::Console => "console",
        }
    }
}

/// Numbers messages in the order in which they are sent. Clones are the same.
#[derive(Clone)]
pub(crate) struct Outbox(Arc<Mutex<Sending>>);

struct Sending {
    output: Box<dyn Write + Send>,
    last: i64,
}

impl Outbox {
    pub(crate) fn new(output: Box<dyn Write + Send>) -> Outbox {
        Outbox(Arc::new(Mutex::new(Sending { output, last: 0 })))
    }

    fn send(&self, mut message: Value) {
        let mut sending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sending.last += 1;
        message["seq"] = sending.last.into();
        // Without a reader, the input ends too, and with it the session.
        let _ = send(&mut *sending.output, &message);
    }

    pub(crate) fn answer(&self, request: &Request, answer: Result<Value, String>) {
        let mut message = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": answer.is_ok(),
        });
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => message["body"] = body,
            Err(why) => {
                let error = json!({
                    "id": 1,
                    "format": "{why}",
                    "variables": {"why": why},
                    "showUser": true,
                });
                message["body"] = json!({"error": error});
                message["message"] = why.into();
            }
        }
        self.send(message);
    }

    pub(crate) fn event(&self, event: &str, body: Value) {
        let mut message = json!({"type": "event", "event": event});
        if !body.is_null() {
            message["body"] = body;
        }
        self.send(message);
    }

    pub(crate) fn show(&self, category: Category, text: &str) {
        if !text.is_empty() {
            self.event("output", json!({"category": category.name(), "output": text}));
        }
    }
}
