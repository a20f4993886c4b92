//! What is asked about a run that stands still.

use riverhawk_text::{on_one_line, quoted};
use riverhawk_tools::debugger::expression::{self, NamedValue};
use riverhawk_tools::debugger::places::VisitPlace;
use riverhawk_tools::debugger::statements;
use riverhawk_value::Value as AwkValue;
use riverhawk_vm::visits::Scene;
use serde_json::{Value, json};

use crate::data_breakpoints::{self, Watched};
use crate::protocol::{
    DataBreakpointInfo, Evaluate, Request, Scopes, SetExpression, SetVariable, StackTrace,
    Variables,
};
use crate::sources::Sources;

/// Something with variables in it. References to it are valid until the run goes on.
#[derive(Clone)]
enum Container {
    /// Parameters of the frame at this level.
    Locals(usize),
    /// The record and its fields.
    Record,
    Globals,
    Specials,
    /// The elements of an array, and the expression that names it at a level.
    Elements(AwkValue, String, usize),
}

/// A variable in a container.
enum Member {
    Named { name: String, level: usize },
    Field(usize),
    Element { key: AwkValue },
}

pub(crate) struct Inspection<'s> {
    sources: &'s Sources,
    /// Where the innermost frame is.
    top: VisitPlace,
    /// The editor's numbers of the first line and column.
    first: (usize, usize),
    /// By reference, from 1.
    containers: Vec<Container>,
}

type Answer = Result<Value, String>;

impl<'s> Inspection<'s> {
    pub(crate) fn new(
        sources: &'s Sources,
        top: VisitPlace,
        first: (usize, usize),
    ) -> Inspection<'s> {
        Inspection { sources, top, first, containers: Vec::new() }
    }

    pub(crate) fn answer(&mut self, request: &Request, scene: &mut Scene<'_>) -> Answer {
        match &*request.command {
            "stackTrace" => Ok(self.stack_trace(&request.arguments()?, scene)),
            "scopes" => self.scopes(&request.arguments()?, scene),
            "variables" => self.variables(&request.arguments()?, scene),
            "setVariable" => self.set_variable(&request.arguments()?, scene),
            "evaluate" => self.evaluate(&request.arguments()?, scene),
            "setExpression" => self.set_expression(&request.arguments()?, scene),
            "dataBreakpointInfo" => self.data(&request.arguments()?, scene),
            other => Err(format!("`{other}' is not supported")),
        }
    }

    fn stack_trace(&self, asked: &StackTrace, scene: &mut Scene<'_>) -> Value {
        let total = scene.depth() + 1;
        let from = asked.start_frame.min(total);
        let to = match asked.levels {
            0 => total,
            levels => from.saturating_add(levels).min(total),
        };
        let frames: Vec<Value> = (from..to).map(|level| self.frame(level, scene)).collect();
        json!({"stackFrames": frames, "totalFrames": total})
    }

    fn frame(&self, level: usize, scene: &mut Scene<'_>) -> Value {
        let places = &self.sources.places;
        let place = match level {
            0 => Some(self.top.clone()),
            _ => places.of_frame(level, None, scene),
        };
        let name = match scene.function(level) {
            Some(function) => places.signature(function),
            None => {
                let of_call = || scene.call(level).and_then(|span| places.phase_of(span));
                place
                    .as_ref()
                    .and_then(|place| place.phase)
                    .or_else(of_call)
                    .unwrap_or("Rule")
                    .to_owned()
            }
        };
        let mut frame = json!({"id": level + 1, "name": name, "line": 0, "column": 0});
        if let Some(place) = place {
            frame["source"] = self.sources.source(place.piece);
            frame["line"] = (place.line + self.first.0 - 1).into();
            frame["column"] = (place.column + self.first.1 - 1).into();
            if places.is_library(place.piece) {
                frame["presentationHint"] = "subtle".into();
            }
        }
        frame
    }

    fn level(frame_id: Option<usize>, scene: &Scene<'_>) -> Result<usize, String> {
        let level = frame_id.unwrap_or(1).checked_sub(1);
        level
            .filter(|&level| level <= scene.depth())
            .ok_or_else(|| "there is no such frame".to_owned())
    }

    fn refer(&mut self, container: Container) -> usize {
        self.containers.push(container);
        self.containers.len()
    }

    fn scopes(&mut self, asked: &Scopes, scene: &mut Scene<'_>) -> Answer {
        let level = Inspection::level(Some(asked.frame_id), scene)?;
        let mut scopes = Vec::new();
        if scene.function(level).is_some() {
            let reference = self.refer(Container::Locals(level));
            scopes.push(json!({
                "name": "Locals",
                "presentationHint": "locals",
                "variablesReference": reference,
                "expensive": false,
            }));
        }
        let reference = self.refer(Container::Record);
        scopes.push(json!({
            "name": "Record",
            "variablesReference": reference,
            "indexedVariables": field_count(scene) + 1,
            "expensive": false,
        }));
        for (name, container) in
            [("Globals", Container::Globals), ("Special variables", Container::Specials)]
        {
            let reference = self.refer(container);
            scopes.push(json!({"name": name, "variablesReference": reference, "expensive": false}));
        }
        Ok(json!({"scopes": scopes}))
    }

    fn container(&self, reference: usize) -> Result<Container, String> {
        let container = reference.checked_sub(1).and_then(|at| self.containers.get(at));
        container
            .cloned()
            .ok_or_else(|| "these variables are gone: the program has run on".to_owned())
    }

    /// What is in a container, by its name.
    fn members(&self, container: &Container, scene: &mut Scene<'_>) -> Vec<(String, Member)> {
        let named =
            |level: usize| move |name: String| (name.clone(), Member::Named { name, level });
        match container {
            Container::Locals(level) => {
                let function = scene.function(*level);
                let params = function.map(|function| self.sources.places.params(function));
                params.unwrap_or_default().iter().cloned().map(named(*level)).collect()
            }
            Container::Globals => {
                let mut names = scene.globals();
                names.sort();
                names.into_iter().map(named(scene.depth())).collect()
            }
            Container::Specials => {
                let mut names = scene.specials();
                names.sort_unstable();
                names.into_iter().map(str::to_owned).map(named(scene.depth())).collect()
            }
            Container::Record => (0..=field_count(scene))
                .map(|number| (format!("${number}"), Member::Field(number)))
                .collect(),
            Container::Elements(array, ..) => keys(array, scene)
                .into_iter()
                .map(|key| (on_one_line(&scene.text(&key)), Member::Element { key }))
                .collect(),
        }
    }

    fn variables(&mut self, asked: &Variables, scene: &mut Scene<'_>) -> Answer {
        let container = self.container(asked.variables_reference)?;
        let is_indexed = matches!(container, Container::Record | Container::Elements(..));
        let other = if is_indexed { "named" } else { "indexed" };
        let mut variables = Vec::new();
        if asked.filter.as_deref() != Some(other) {
            let count = if asked.count == 0 { usize::MAX } else { asked.count };
            let members = self.members(&container, scene);
            for (name, member) in members.into_iter().skip(asked.start).take(count) {
                variables.push(self.variable(name, &member, &container, scene));
            }
        }
        Ok(json!({"variables": variables}))
    }

    fn variable(
        &mut self,
        name: String,
        member: &Member,
        container: &Container,
        scene: &mut Scene<'_>,
    ) -> Value {
        let value = match (member, container) {
            (Member::Named { name, level }, _) => scene.variable(name, *level),
            (Member::Field(number), _) => Some(scene.field(*number)),
            (Member::Element { key }, Container::Elements(array, ..)) => scene.element(array, key),
            (Member::Element { .. }, _) => None,
        };
        let value = value.unwrap_or(AwkValue::Uninit);
        let (expression, level) = expression_of(&name, member, container, scene);
        let text = scene.show(&value);
        let mut variable = self.valued("value", text, value, (&expression, level));
        variable["name"] = name.into();
        variable["evaluateName"] = expression.into();
        variable
    }

    /// A value under a key of the protocol; an array can be unfolded.
    fn valued(
        &mut self,
        key: &str,
        text: String,
        value: AwkValue,
        (expression, level): (&str, usize),
    ) -> Value {
        let mut shown = json!({key: text, "variablesReference": 0});
        if let AwkValue::Array(array) = &value {
            let count = array.borrow().len();
            if count > 0 {
                shown["indexedVariables"] = count.into();
                shown["variablesReference"] =
                    self.refer(Container::Elements(value, expression.to_owned(), level)).into();
            }
        }
        shown
    }

    fn set_variable(&mut self, asked: &SetVariable, scene: &mut Scene<'_>) -> Answer {
        let container = self.container(asked.variables_reference)?;
        let members = self.members(&container, scene);
        let member = members.into_iter().find(|(name, _)| *name == asked.name);
        let (name, member) =
            member.ok_or_else(|| format!("there is no variable `{}' here", asked.name))?;
        let level = match &container {
            Container::Locals(level) => *level,
            _ => 0,
        };
        let value = expression::evaluate(&asked.value, scene, level)?;
        if value.is_array() {
            return Err(format!("`{}' is an array, which cannot be assigned", asked.value));
        }
        match (&member, &container) {
            (Member::Named { name, level }, _) => scene.set_variable(name, *level, value)?,
            (Member::Field(number), _) => scene.set_field(*number, &value)?,
            (Member::Element { key }, Container::Elements(array, ..)) => {
                if scene.element(array, key).is_some_and(|old| old.is_array()) {
                    return Err(format!("`{name}' is an array"));
                }
                scene.set_element(array, key, value);
            }
            (Member::Element { .. }, _) => {}
        }
        Ok(self.variable(name, &member, &container, scene))
    }

    fn evaluate(&mut self, asked: &Evaluate, scene: &mut Scene<'_>) -> Answer {
        let level = Inspection::level(asked.frame_id, scene)?;
        let text = asked.expression.trim();
        // At the prompt of the editor also statements make sense.
        if asked.context.as_deref() == Some("repl") && expression::check(text).is_err() {
            statements::perform(text, scene, level)?;
            return Ok(json!({"result": "", "variablesReference": 0}));
        }
        Ok(self.found("result", expression::look_up(text, scene, level)?, (text, level), scene))
    }

    fn set_expression(&mut self, asked: &SetExpression, scene: &mut Scene<'_>) -> Answer {
        let level = Inspection::level(asked.frame_id, scene)?;
        expression::check(&asked.value)?;
        let assignment = format!("{} = ({})", asked.expression, asked.value);
        let found = expression::look_up(&assignment, scene, level)?;
        Ok(self.found("value", found, (&asked.expression, level), scene))
    }

    fn found(
        &mut self,
        key: &str,
        found: NamedValue,
        expression: (&str, usize),
        scene: &Scene<'_>,
    ) -> Value {
        let text = found.shown(scene);
        let value = match found {
            NamedValue::Value(value) => value,
            NamedValue::Nothing(_) => AwkValue::Uninit,
        };
        self.valued(key, text, value, expression)
    }

    /// What to watch for a variable, or an expression.
    fn data(&self, asked: &DataBreakpointInfo, scene: &mut Scene<'_>) -> Answer {
        let (expression, level) = match asked.variables_reference {
            0 => (asked.name.clone(), Inspection::level(asked.frame_id, scene)?),
            reference => {
                let container = self.container(reference)?;
                let members = self.members(&container, scene);
                let member = members.into_iter().find(|(name, _)| *name == asked.name);
                let (name, member) =
                    member.ok_or_else(|| format!("there is no variable `{}' here", asked.name))?;
                expression_of(&name, &member, &container, scene)
            }
        };
        if let Err(why) = expression::look_up(&expression, scene, level) {
            return Ok(json!({"dataId": null, "description": why}));
        }
        let depth = self.sources.places.frame_of_parameters(&expression, level, scene);
        Ok(data_breakpoints::info(&Watched { expression, depth }))
    }
}

/// The expression that names a member, and the level of the frame where it does.
fn expression_of(
    name: &str,
    member: &Member,
    container: &Container,
    scene: &mut Scene<'_>,
) -> (String, usize) {
    match (member, container) {
        (Member::Named { name, level }, _) => (name.clone(), *level),
        (Member::Element { key }, Container::Elements(_, of, level)) => {
            (format!("{of}[{}]", quoted(&scene.text(key))), *level)
        }
        _ => (name.to_owned(), 0),
    }
}

fn field_count(scene: &mut Scene<'_>) -> usize {
    scene.variable("NF", 0).map_or(0, |count| scene.number(&count) as usize)
}

/// Numbers in their order, then texts in theirs.
fn keys(array: &AwkValue, scene: &mut Scene<'_>) -> Vec<AwkValue> {
    let mut keys = scene.keys(array);
    let number = |key: &AwkValue| {
        std::str::from_utf8(&scene.text(key)).ok().and_then(|text| text.parse::<i64>().ok())
    };
    keys.sort_by_cached_key(|key| number(key).map_or((1, 0), |number| (0, number)));
    keys
}
