//! The loop over messages.

use std::fmt;

use lsp_server::{Connection, Message, Notification};
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{InitializeParams, InitializeResult, ServerInfo};

use crate::capabilities::capabilities;
use crate::server::Server;
use crate::surroundings::Surroundings;

/// Why the server ended too early.
#[derive(Debug)]
pub struct ServeError {
    message: String,
}

impl ServeError {
    pub(crate) fn new(message: String) -> ServeError {
        ServeError { message }
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the language server ended: {}", self.message)
    }
}

impl std::error::Error for ServeError {}

/// Answers an editor until it says `exit`.
///
/// # Errors
/// The editor broke the protocol or ended without `shutdown`.
pub fn serve(connection: &Connection, surroundings: &dyn Surroundings) -> Result<(), ServeError> {
    let failed = |error: &dyn fmt::Display| ServeError::new(error.to_string());
    let (id, params) = connection.initialize_start().map_err(|error| failed(&error))?;
    let params: InitializeParams =
        serde_json::from_value(params).map_err(|error| failed(&error))?;
    let mut server = Server::new(&params, surroundings);
    let result = InitializeResult {
        capabilities: capabilities(server.encoding),
        server_info: Some(ServerInfo {
            name: "rhawk".to_owned(),
            version: Some(surroundings.version().to_owned()),
        }),
    };
    let result = serde_json::to_value(result).map_err(|error| failed(&error))?;
    connection.initialize_finish(id, result).map_err(|error| failed(&error))?;
    let mut answered = 0;
    while let Ok(message) = connection.receiver.recv() {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).map_err(|error| failed(&error))? {
                    return Ok(());
                }
                let response = server.answer(request);
                connection.sender.send(response.into()).map_err(|error| failed(&error))?;
                answered += 1;
            }
            Message::Notification(notification) if notification.method == "exit" => {
                return Err(ServeError::new("exit came before shutdown".to_owned()));
            }
            Message::Notification(notification) => server.note(notification),
            Message::Response(_) => {}
        }
        // Of several changes in a row, only the last is worth a look, but questions do not put it
        // off for ever.
        if connection.receiver.is_empty() || answered >= MAX_ANSWERS {
            answered = 0;
            for params in server.diagnose() {
                let notification = Notification::new(PublishDiagnostics::METHOD.to_owned(), params);
                connection.sender.send(notification.into()).map_err(|error| failed(&error))?;
            }
        }
    }
    Err(ServeError::new("the editor closed the connection".to_owned()))
}

/// How many questions are answered before what is found is published.
const MAX_ANSWERS: usize = 2;

/// As [`serve`], over standard input and output.
///
/// # Errors
/// The editor broke the protocol, or the streams failed.
pub fn serve_stdio(surroundings: &dyn Surroundings) -> Result<(), ServeError> {
    let (connection, threads) = lsp_server::Connection::stdio();
    let served = serve(&connection, surroundings);
    // The threads end when the channels do.
    drop(connection);
    served?;
    threads.join().map_err(|error| ServeError::new(error.to_string()))
}
