//! What is read of requests.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A request of the editor.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    pub seq: i64,
    pub command: String,
    #[serde(default)]
    pub arguments: Value,
}

impl Request {
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn arguments<T: DeserializeOwned>(&self) -> Result<T, String> {
        let arguments = match &self.arguments {
            Value::Null => Value::Object(serde_json::Map::new()),
            arguments => arguments.clone(),
        };
        serde_json::from_value(arguments).map_err(|error| format!("{}: {error}", self.command))
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Initialize {
    #[serde(default = "yes")]
    pub lines_start_at1: bool,
    #[serde(default = "yes")]
    pub columns_start_at1: bool,
}

fn yes() -> bool {
    true
}

/// What a launch of an editor asks for.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LaunchArguments {
    #[serde(default)]
    pub program: Option<Files>,
    #[serde(default)]
    pub text: Option<String>,
    #[serde(default)]
    pub args: Vec<String>,
    #[serde(default)]
    pub options: Vec<String>,
    #[serde(default)]
    pub variables: BTreeMap<String, Scalar>,
    #[serde(default)]
    pub stdin: Option<String>,
    #[serde(default)]
    pub input: Option<String>,
    #[serde(default)]
    pub cwd: Option<String>,
    #[serde(default)]
    pub env: BTreeMap<String, Option<Scalar>>,
    #[serde(default)]
    pub stop_on_entry: bool,
    #[serde(default)]
    pub no_debug: bool,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a file's name or a list of them")]
pub(crate) enum Files {
    One(String),
    Several(Vec<String>),
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a text, a number or a truth value")]
pub(crate) enum Scalar {
    Text(String),
    Number(serde_json::Number),
    Truth(bool),
}

impl Scalar {
    /// As awk has it.
    pub(crate) fn text(&self) -> String {
        match self {
            Scalar::Text(text) => text.clone(),
            Scalar::Number(number) => number.to_string(),
            Scalar::Truth(truth) => u8::from(*truth).to_string(),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Source {
    #[serde(default)]
    pub path: Option<String>,
    #[serde(default)]
    pub source_reference: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetBreakpoints {
    pub source: Source,
    #[serde(default)]
    pub breakpoints: Vec<SourceBreakpoint>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SourceBreakpoint {
    pub line: usize,
    #[serde(flatten)]
    pub when: When,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetFunctionBreakpoints {
    #[serde(default)]
    pub breakpoints: Vec<FunctionBreakpoint>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FunctionBreakpoint {
    pub name: String,
    #[serde(flatten)]
    pub when: When,
}

/// When a breakpoint stops the run, and whether it does.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct When {
    #[serde(default)]
    pub condition: Option<String>,
    #[serde(default)]
    pub hit_condition: Option<String>,
    #[serde(default)]
    pub log_message: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpointInfo {
    /// Of what has the variable; without it the name is an expression.
    #[serde(default)]
    pub variables_reference: usize,
    pub name: String,
    #[serde(default)]
    pub frame_id: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetDataBreakpoints {
    #[serde(default)]
    pub breakpoints: Vec<DataBreakpoint>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpoint {
    pub data_id: String,
    #[serde(default)]
    pub access_type: Option<String>,
    #[serde(flatten)]
    pub when: When,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetExceptionBreakpoints {
    #[serde(default)]
    pub filters: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BreakpointLocations {
    pub source: Source,
    pub line: usize,
    #[serde(default)]
    pub end_line: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShowSource {
    #[serde(default)]
    pub source: Option<Source>,
    #[serde(default)]
    pub source_reference: usize,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Step {
    #[serde(default)]
    pub granularity: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackTrace {
    #[serde(default)]
    pub start_frame: usize,
    /// 0 for all.
    #[serde(default)]
    pub levels: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Scopes {
    pub frame_id: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Variables {
    pub variables_reference: usize,
    #[serde(default)]
    pub filter: Option<String>,
    #[serde(default)]
    pub start: usize,
    /// 0 for all.
    #[serde(default)]
    pub count: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetVariable {
    pub variables_reference: usize,
    pub name: String,
    pub value: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluate {
    pub expression: String,
    #[serde(default)]
    pub frame_id: Option<usize>,
    #[serde(default)]
    pub context: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetExpression {
    pub expression: String,
    pub value: String,
    #[serde(default)]
    pub frame_id: Option<usize>,
}
