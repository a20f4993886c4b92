//! A scripted client of `--dap` over the process's streams.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::start_in;

/// A test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    events: VecDeque<Value>,
    last: u64,
}

impl Client {
    /// Starts the adapter in a folder, without any request.
    pub fn start(folder: &Path) -> Client {
        let mut child = start_in(folder, &["--dap"]);
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Client { child, input, messages, events: VecDeque::new(), last: 0 }
    }

    /// A program that waits for its breakpoints.
    pub fn launched(folder: &Path, launch: Value) -> Client {
        let mut client = Client::start(folder);
        client.ask("initialize", json!({"adapterID": "rhawk"}));
        client.ask("launch", launch);
        client.event("initialized");
        client
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the adapter reads");
    }

    pub fn send_text(&mut self, text: &str) {
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn response(&mut self, command: &str, arguments: Value) -> Value {
        self.last += 1;
        let seq = self.last;
        let request =
            json!({"seq": seq, "type": "request", "command": command, "arguments": arguments});
        self.send_text(&request.to_string());
        loop {
            let message = self.receive(command);
            if message["type"] == "event" {
                self.events.push_back(message);
                continue;
            }
            assert_eq!(message["request_seq"], seq, "{message}");
            assert_eq!(message["command"], command);
            return message;
        }
    }

    /// The body of a response without error.
    pub fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.response(command, arguments);
        assert_eq!(response["success"], true, "{response}");
        response["body"].clone()
    }

    /// The message of an error.
    pub fn refused(&mut self, command: &str, arguments: Value) -> String {
        let response = self.response(command, arguments);
        assert_eq!(response["success"], false, "{response}");
        let message = response["message"].as_str().expect("a message").to_owned();
        assert_eq!(response["body"]["error"]["variables"]["why"], message);
        message
    }

    fn receive(&mut self, why: &str) -> Value {
        self.messages.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{why}: {error}"))
    }

    /// The next event of this name; others before it stay.
    pub fn event(&mut self, name: &str) -> Value {
        if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
            return self.events.remove(at).expect("it is there")["body"].clone();
        }
        loop {
            let message = self.receive(name);
            assert_eq!(message["type"], "event", "{message}");
            if message["event"] == name {
                return message["body"].clone();
            }
            self.events.push_back(message);
        }
    }

    pub fn breakpoints(&mut self, path: &Path, breakpoints: Value) -> Value {
        let source = json!({"path": path});
        let set = json!({"source": source, "breakpoints": breakpoints});
        self.ask("setBreakpoints", set)["breakpoints"].clone()
    }

    /// Lets the program run to its first stop.
    pub fn run(&mut self) -> Value {
        self.ask("configurationDone", json!({}));
        self.event("stopped")
    }

    /// Lets it run on to the next stop.
    pub fn go(&mut self, command: &str) -> Value {
        self.ask(command, json!({"threadId": 1}));
        self.event("stopped")
    }

    /// `line name` of each frame.
    pub fn stack(&mut self) -> Vec<String> {
        let stack = self.ask("stackTrace", json!({"threadId": 1}));
        let frames = stack["stackFrames"].as_array().unwrap().iter();
        frames
            .map(|frame| format!("{} {}", frame["line"], frame["name"].as_str().unwrap()))
            .collect()
    }

    pub fn line(&mut self) -> u64 {
        let stack = self.ask("stackTrace", json!({"threadId": 1, "levels": 1}));
        stack["stackFrames"][0]["line"].as_u64().unwrap()
    }

    /// The reference of a scope of the innermost frame.
    pub fn scope(&mut self, name: &str) -> u64 {
        let scopes = self.ask("scopes", json!({"frameId": 1}));
        let scopes = scopes["scopes"].as_array().unwrap();
        let scope = scopes.iter().find(|scope| scope["name"] == name);
        scope.unwrap_or_else(|| panic!("{name}: {scopes:?}"))["variablesReference"]
            .as_u64()
            .unwrap()
    }

    /// `name = value` of each variable.
    pub fn variables(&mut self, reference: u64) -> Vec<String> {
        self.some_variables(json!({"variablesReference": reference}))
    }

    pub fn some_variables(&mut self, asked: Value) -> Vec<String> {
        let variables = self.ask("variables", asked);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let variables = variables["variables"].as_array().unwrap().iter();
        variables.map(|it| format!("{} = {}", text(&it["name"]), text(&it["value"]))).collect()
    }

    pub fn evaluate(&mut self, expression: &str) -> String {
        let value = self.ask("evaluate", json!({"expression": expression, "context": "watch"}));
        value["result"].as_str().unwrap().to_owned()
    }

    /// What the program prints until it ends, of this category; and its exit status.
    pub fn end(&mut self, category: &str) -> (String, u64) {
        self.event("terminated");
        let status = self.event("exited")["exitCode"].as_u64().unwrap();
        (self.shown(category), status)
    }

    /// What was shown up to now.
    pub fn shown(&mut self, category: &str) -> String {
        let is_shown =
            |event: &Value| event["event"] == "output" && event["body"]["category"] == category;
        let (shown, others) = self.events.drain(..).partition(|event| is_shown(event));
        self.events = others;
        let shown: VecDeque<Value> = shown;
        shown.iter().map(|event| event["body"]["output"].as_str().unwrap()).collect()
    }

    /// Disconnects; gives the status of the process and what it wrote to standard error.
    pub fn disconnect(mut self) -> (Option<i32>, String) {
        self.ask("disconnect", json!({}));
        self.wait()
    }

    /// Closes the input without a word.
    pub fn close(mut self) -> (Option<i32>, String) {
        self.input = None;
        self.wait()
    }

    fn wait(mut self) -> (Option<i32>, String) {
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (self.child.wait().unwrap().code(), errors)
    }
}

/// The next message of either protocol; none at the end.
pub fn read_message(output: &mut impl BufRead) -> Option<Value> {
    let mut header = String::new();
    if output.read_line(&mut header).ok()? == 0 {
        return None;
    }
    let length = header.strip_prefix("Content-Length: ").expect(&header).trim().parse().unwrap();
    let mut empty = String::new();
    output.read_line(&mut empty).unwrap();
    assert_eq!(empty, "\r\n");
    let mut text = vec![0; length];
    output.read_exact(&mut text).unwrap();
    Some(serde_json::from_slice(&text).expect("messages are JSON"))
}
