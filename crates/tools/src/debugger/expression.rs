//! Expressions at the prompt and in conditions, evaluated over the tree with the run's variables.
//! Of built-in functions only those over texts and numbers.

use riverhawk_syntax::ast::{
    BinaryOp, Builtin, ExprId, ExprKind, Name, Program, StmtKind, VariablePlace,
};
use riverhawk_syntax::source::SourceMap;
use riverhawk_value::{Value, new_array};
use riverhawk_vm::visits::{Replacements, Scene};

/// The value of an expression in a frame.
///
/// # Errors
/// It is no expression, or names what is not there.
pub fn evaluate(text: &str, scene: &mut Scene<'_>, level: usize) -> Result<Value, String> {
    let (program, root) = read(text)?;
    Evaluation { program: &program, scene, level }.value(root)
}

/// Whether an expression is true in a frame. A missing element has no value.
///
/// # Errors
/// As [`evaluate`].
pub fn is_true(text: &str, scene: &mut Scene<'_>, level: usize) -> Result<bool, String> {
    let (program, root) = read(text)?;
    Evaluation { program: &program, scene, level }.truth(root)
}

/// As `print`, watchpoints and displays show it, also an element that is not there.
///
/// # Errors
/// As [`evaluate`].
pub(super) fn described(text: &str, scene: &mut Scene<'_>, level: usize) -> Result<String, String> {
    Ok(match look_up(text, scene, level)? {
        NamedValue::Value(value) => scene.describe(&value),
        NamedValue::Nothing(why) => why.to_owned(),
    })
}

/// What an expression names.
pub enum NamedValue {
    /// Its value.
    Value(Value),
    /// An element or field that is not there: what is said of it.
    Nothing(&'static str),
}

impl NamedValue {
    /// For people, as [`Scene::show`].
    pub fn shown(&self, scene: &Scene<'_>) -> String {
        match self {
            NamedValue::Value(value) => scene.show(value),
            NamedValue::Nothing(why) => (*why).to_owned(),
        }
    }
}

/// As [`evaluate`], but an element that is not there differs from one without a value.
///
/// # Errors
/// As [`evaluate`].
pub fn look_up(text: &str, scene: &mut Scene<'_>, level: usize) -> Result<NamedValue, String> {
    let (program, root) = read(text)?;
    let mut evaluation = Evaluation { program: &program, scene, level };
    match &program[root].kind {
        ExprKind::Element { array, subscripts } => {
            let array = evaluation.array(array)?;
            let key = evaluation.key(subscripts)?;
            let found = evaluation.scene.element(&array, &key);
            return Ok(found.map_or(NamedValue::Nothing(NO_ELEMENT), NamedValue::Value));
        }
        ExprKind::Field(index) => {
            let index = evaluation.number(*index)?;
            let count = evaluation
                .scene
                .variable("NF", 0)
                .map_or(0.0, |count| evaluation.scene.number(&count));
            if index > count {
                return Ok(NamedValue::Nothing("uninitialized field"));
            }
        }
        _ => {}
    }
    evaluation.value(root).map(NamedValue::Value)
}

const NO_ELEMENT: &str = "element not in array";

pub(super) fn describe(text: &str, scene: &mut Scene<'_>, level: usize) -> String {
    described(text, scene, level).unwrap_or_else(|_| "not in this context".to_owned())
}

/// For lines before a run.
///
/// # Errors
/// It is no expression.
pub fn check(text: &str) -> Result<(), String> {
    read(text).map(drop)
}

fn read(text: &str) -> Result<(Program, ExprId), String> {
    let program = parsed(text)?;
    match program.begin.first().map(|action| &action.body[..]) {
        Some([only]) => match program[*only].kind {
            StmtKind::Expr(root) => Ok((program, root)),
            _ => Err("not an expression".to_owned()),
        },
        _ => Err("not one expression".to_owned()),
    }
}

pub(super) fn parsed(text: &str) -> Result<Program, String> {
    let mut source = SourceMap::new();
    source.add("debugger", format!("BEGIN {{ {text}\n}}").into_bytes())?;
    let parsed = riverhawk_syntax::parse(&source);
    parsed.program.ok_or_else(|| match parsed.diagnostics.first() {
        Some(found) => found.message.clone(),
        None => "syntax error".to_owned(),
    })
}

pub(super) struct Evaluation<'a, 'm> {
    pub program: &'a Program,
    pub scene: &'a mut Scene<'m>,
    pub level: usize,
}

impl Evaluation<'_, '_> {
    pub(super) fn value(&mut self, id: ExprId) -> Result<Value, String> {
        let program = self.program;
        Ok(match &program[id].kind {
            ExprKind::Number(number) => Value::Num(*number),
            ExprKind::String(text) => Value::from_text(text),
            ExprKind::Group(inner) => self.value(*inner)?,
            ExprKind::Var(place) => self.variable(*place)?,
            ExprKind::Field(index) => {
                let number = self.number(*index)?;
                if !(0.0..1e9).contains(&number) {
                    return Err(format!("there is no field {number}"));
                }
                self.scene.field(number as usize)
            }
            ExprKind::Element { array, subscripts } => {
                let array = self.array(array)?;
                let key = self.key(subscripts)?;
                self.scene.element(&array, &key).unwrap_or(Value::Uninit)
            }
            ExprKind::In { subscripts, array } => {
                let array = self.array(array)?;
                let key = self.key(subscripts)?;
                truth(self.scene.element(&array, &key).is_some())
            }
            ExprKind::Assign { op, target, value } => {
                let right = self.value(*value)?;
                let new = match op {
                    None => right,
                    Some(op) => {
                        let old = self.value(*target)?;
                        self.binary(*op, old, right)?
                    }
                };
                self.assign(*target, new.clone())?;
                new
            }
            ExprKind::Step { prefix, down, target } => {
                let old = self.number(*target)?;
                let new = if *down { old - 1.0 } else { old + 1.0 };
                self.assign(*target, Value::Num(new))?;
                Value::Num(if *prefix { new } else { old })
            }
            ExprKind::Cond { cond, yes, no } => {
                let chosen = if self.truth(*cond)? { yes } else { no };
                self.value(*chosen)?
            }
            ExprKind::And(left, right) => truth(self.truth(*left)? && self.truth(*right)?),
            ExprKind::Or(left, right) => truth(self.truth(*left)? || self.truth(*right)?),
            ExprKind::Not(operand) => truth(!self.truth(*operand)?),
            ExprKind::Minus(operand) => Value::Num(-self.number(*operand)?),
            ExprKind::Plus(operand) => Value::Num(self.number(*operand)?),
            ExprKind::Binary(op, left, right) => {
                let left = self.value(*left)?;
                let right = self.value(*right)?;
                self.binary(*op, left, right)?
            }
            ExprKind::Regex(pattern) => {
                let record = self.scene.field(0);
                let text = self.scene.text(&record);
                truth(self.scene.matches(&text, pattern)?)
            }
            ExprKind::Match { negated, text, regex } => {
                let text = self.text(*text)?;
                let pattern = self.pattern(*regex)?;
                truth(self.scene.matches(&text, &pattern)? != *negated)
            }
            ExprKind::Builtin { builtin: Builtin::Length, args } => {
                let value = match args.first() {
                    Some(&arg) => self.value(arg)?,
                    None => self.scene.field(0),
                };
                match value {
                    Value::Array(array) => Value::Num(array.borrow().len() as f64),
                    value => Value::Num(
                        String::from_utf8_lossy(&self.scene.text(&value)).chars().count() as f64,
                    ),
                }
            }
            ExprKind::Builtin { builtin: Builtin::Sprintf, args } => {
                let values = self.values(args)?;
                self.scene.format(&values)?
            }
            ExprKind::Builtin { builtin: builtin @ (Builtin::Sub | Builtin::Gsub), args } => {
                let which = match builtin {
                    Builtin::Gsub => Replacements::Every,
                    _ => Replacements::First,
                };
                self.substitute(which, args)?
            }
            ExprKind::Builtin { builtin, args } => {
                let values = self.values(args)?;
                let value = self.scene.built_in(*builtin, &values)?;
                value.ok_or_else(|| format!("`{}' cannot be called here", builtin.name()))?
            }
            ExprKind::Call { function, args } => {
                let values = self.values(args)?;
                let name = &program.functions[function.index()].name;
                self.scene.call_function(name, &values)?
            }
            _ => return Err("this cannot be evaluated here".to_owned()),
        })
    }

    fn pattern(&mut self, id: ExprId) -> Result<Vec<u8>, String> {
        match &self.program[id].kind {
            ExprKind::Regex(pattern) | ExprKind::TypedRegex(pattern) => Ok(pattern.clone()),
            _ => self.text(id),
        }
    }

    /// Of the record by default.
    fn substitute(&mut self, which: Replacements, args: &[ExprId]) -> Result<Value, String> {
        let &[pattern, by, ref target @ ..] = args else {
            return Err("too few arguments".to_owned());
        };
        let pattern = self.pattern(pattern)?;
        let by = self.value(by)?;
        let old = match target.first() {
            Some(&target) => self.value(target)?,
            None => self.scene.field(0),
        };
        let (count, new) = self.scene.substitute(which, &pattern, &by, &old)?;
        if count > 0 {
            match target.first() {
                Some(&target) => self.assign(target, new)?,
                None => self.scene.set_field(0, &new)?,
            }
        }
        Ok(Value::Num(count as f64))
    }

    pub(super) fn values(&mut self, ids: &[ExprId]) -> Result<Vec<Value>, String> {
        ids.iter().map(|&id| self.value(id)).collect()
    }

    fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Result<Value, String> {
        use std::cmp::Ordering::{Equal, Greater, Less};
        if op == BinaryOp::Concat {
            return Ok(Value::from_text(
                &[self.scene.text(&left), self.scene.text(&right)].concat(),
            ));
        }
        let compared = self.scene.compare(&left, &right);
        let (a, b) = (self.scene.number(&left), self.scene.number(&right));
        Ok(match op {
            BinaryOp::Add => Value::Num(a + b),
            BinaryOp::Sub => Value::Num(a - b),
            BinaryOp::Mul => Value::Num(a * b),
            BinaryOp::Div | BinaryOp::Mod if b == 0.0 => return Err("division by zero".to_owned()),
            BinaryOp::Div => Value::Num(a / b),
            BinaryOp::Mod => Value::Num(a % b),
            BinaryOp::Pow => Value::Num(a.powf(b)),
            BinaryOp::Lt => truth(compared == Some(Less)),
            BinaryOp::Le => truth(matches!(compared, Some(Less | Equal))),
            BinaryOp::Eq => truth(compared == Some(Equal)),
            BinaryOp::Ne => truth(compared != Some(Equal)),
            BinaryOp::Gt => truth(compared == Some(Greater)),
            BinaryOp::Ge => truth(matches!(compared, Some(Greater | Equal))),
            BinaryOp::Concat => Value::EMPTY,
        })
    }

    pub(super) fn assign(&mut self, target: ExprId, value: Value) -> Result<(), String> {
        let program = self.program;
        match &program[target].kind {
            ExprKind::Var(place) => {
                let name = name_of(program, *place);
                self.scene.set_variable(&name, self.level, value)
            }
            ExprKind::Field(index) => {
                let number = self.number(*index)?;
                if !(0.0..1e9).contains(&number) {
                    return Err(format!("there is no field {number}"));
                }
                self.scene.set_field(number as usize, &value)
            }
            ExprKind::Element { array, subscripts } => {
                let array = self.array_to_fill(array)?;
                let key = self.key(subscripts)?;
                self.scene.set_element(&array, &key, value);
                Ok(())
            }
            _ => Err("cannot assign to this".to_owned()),
        }
    }

    fn variable(&mut self, place: VariablePlace) -> Result<Value, String> {
        let name = name_of(self.program, place);
        self.scene
            .variable(&name, self.level)
            .ok_or_else(|| format!("no symbol `{name}' in current context"))
    }

    pub(super) fn array(&mut self, array: &Name) -> Result<Value, String> {
        let value = match array.element {
            Some(element) => self.value(element)?,
            None => self.variable(array.place)?,
        };
        match value {
            Value::Array(_) => Ok(value),
            // Before its first use: empty.
            Value::Untyped(cell) if array.element.is_none() => {
                Ok(Value::Array(cell.get().cloned().unwrap_or_else(new_array)))
            }
            Value::Uninit | Value::Unassigned if array.element.is_none() => {
                Ok(Value::Array(new_array()))
            }
            _ if array.element.is_some() => Err(format!(
                "this element of `{}' is not an array",
                name_of(self.program, array.place)
            )),
            _ => Err(format!("`{}' is not an array", name_of(self.program, array.place))),
        }
    }

    /// As `array`, of a variable that may become one.
    pub(super) fn array_to_fill(&mut self, array: &Name) -> Result<Value, String> {
        if array.element.is_some() {
            return self.array(array);
        }
        self.scene.make_array(&name_of(self.program, array.place), self.level)
    }

    pub(super) fn key(&mut self, subscripts: &[ExprId]) -> Result<Value, String> {
        if let [only] = subscripts {
            return self.value(*only);
        }
        let separator = self
            .scene
            .variable("SUBSEP", 0)
            .map(|value| self.scene.text(&value))
            .unwrap_or_default();
        let parts: Result<Vec<Vec<u8>>, String> =
            subscripts.iter().map(|&part| self.text(part)).collect();
        Ok(Value::from_text(&parts?.join(&separator[..])))
    }

    pub(super) fn number(&mut self, id: ExprId) -> Result<f64, String> {
        let value = self.value(id)?;
        Ok(self.scene.number(&value))
    }

    fn text(&mut self, id: ExprId) -> Result<Vec<u8>, String> {
        let value = self.value(id)?;
        Ok(self.scene.text(&value))
    }

    pub(super) fn truth(&mut self, id: ExprId) -> Result<bool, String> {
        let value = self.value(id)?;
        Ok(self.scene.truth(&value))
    }
}

fn truth(yes: bool) -> Value {
    Value::Num(f64::from(u8::from(yes)))
}

fn name_of(program: &Program, place: VariablePlace) -> String {
    match place {
        VariablePlace::Global(id) => program.globals[id.index()].name.clone(),
        VariablePlace::Special(special) => special.name().to_owned(),
        VariablePlace::Param(_) => String::new(),
    }
}
