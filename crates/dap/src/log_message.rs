//! A text with expressions in braces, which a log point shows instead of stopping.

use riverhawk_tools::debugger::expression;
use riverhawk_vm::visits::Scene;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Expression(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogMessage(Vec<Part>);

impl LogMessage {
    /// `\{` is a brace.
    ///
    /// # Errors
    /// A brace is not closed, or what it holds is no expression.
    pub(crate) fn parse(text: &str) -> Result<LogMessage, String> {
        let (mut parts, mut literal, mut rest) = (Vec::new(), String::new(), text);
        while let Some(at) = rest.find('{') {
            if let Some(before) = rest[..at].strip_suffix('\\') {
                literal += before;
                literal.push('{');
                rest = &rest[at + 1..];
                continue;
            }
            literal += &rest[..at];
            let inside = &rest[at + 1..];
            let end = closing(inside)
                .ok_or_else(|| format!("`{{{inside}' has no closing brace; `\\{{' is a brace"))?;
            let found = inside[..end].trim();
            expression::check(found).map_err(|why| format!("`{found}': {why}"))?;
            parts.push(Part::Text(std::mem::take(&mut literal)));
            parts.push(Part::Expression(found.to_owned()));
            rest = &inside[end + 1..];
        }
        literal += rest;
        parts.push(Part::Text(literal));
        Ok(LogMessage(parts))
    }

    /// Texts as they are, what cannot be evaluated as the reason.
    pub(crate) fn fill(&self, scene: &mut Scene<'_>) -> String {
        let mut line = String::new();
        for part in &self.0 {
            match part {
                Part::Text(text) => line += text,
                Part::Expression(text) => match expression::evaluate(text, scene, 0) {
                    Ok(value) if value.is_array() => line += &scene.show(&value),
                    Ok(value) => line += &String::from_utf8_lossy(&scene.text(&value)),
                    Err(why) => line += &format!("<{why}>"),
                },
            }
        }
        line.push('\n');
        line
    }
}

/// The brace that ends an expression, which may hold texts.
fn closing(text: &str) -> Option<usize> {
    let (mut is_text, mut is_escaped) = (false, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_text => is_escaped = true,
            '"' => is_text = !is_text,
            '}' if !is_text => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<String> {
        let shown = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Expression(text) => format!("={text}"),
        };
        LogMessage::parse(text).unwrap().0.iter().map(shown).collect()
    }

    #[test]
    fn expressions_stand_in_braces() {
        assert_eq!(parts("x is { x + 1 }!"), ["x is ", "=x + 1", "!"]);
        assert_eq!(parts(r#"{ a["}\""] }"#), ["", r#"=a["}\""]"#, ""]);
        assert_eq!(parts(r"\{x}"), ["{x}"]);
    }

    #[test]
    fn what_cannot_be_filled_is_refused_at_once() {
        assert!(LogMessage::parse("{x").unwrap_err().contains("no closing brace"));
        assert!(LogMessage::parse("{x +}").unwrap_err().starts_with("`x +': "));
        assert!(LogMessage::parse("{}").is_err());
    }
}
