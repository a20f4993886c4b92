//! The call around the cursor, and which argument it is in.

use lsp_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp,
    SignatureHelpParams, SignatureInformation,
};

use super::Refusal;
use super::outline::form;
use crate::library_names::{parameters, signatures, summary};
use crate::program::Program;
use crate::server::Server;

pub(crate) fn signature(
    server: &mut Server<'_>,
    params: SignatureHelpParams,
) -> Result<Option<SignatureHelp>, Refusal> {
    let at = params.text_document_position_params;
    let Some(asked) = server.asked(&at.text_document.uri, at.position) else { return Ok(None) };
    let program = asked.program();
    let Some(piece) = program.sources.piece_at(asked.offset) else { return Ok(None) };
    let before = &piece.text[..((asked.offset - piece.base) as usize).min(piece.text.len())];
    let Some((name, argument)) = open_call(before) else { return Ok(None) };
    let (forms, about) = described(program, &name, asked.offset);
    if forms.is_empty() {
        return Ok(None);
    }
    let signatures: Vec<SignatureInformation> = forms
        .into_iter()
        .map(|label| {
            let labels = parameters(&label).into_iter().map(|range| ParameterInformation {
                label: ParameterLabel::LabelOffsets([range.start as u32, range.end as u32]),
                documentation: None,
            });
            let parameters: Vec<ParameterInformation> = labels.collect();
            // Of `...`, any argument is the last.
            let last = parameters.len().saturating_sub(1) as u32;
            let is_open = label.contains("...");
            let active = if is_open { argument.min(last) } else { argument };
            SignatureInformation {
                label,
                documentation: about.clone().map(|value| {
                    let kind = MarkupKind::Markdown;
                    Documentation::MarkupContent(MarkupContent { kind, value })
                }),
                parameters: Some(parameters),
                active_parameter: Some(active),
            }
        })
        .collect();
    let takes = |form: &SignatureInformation| {
        form.parameters.as_ref().map_or(0, Vec::len) as u32 > argument
    };
    let active_signature = signatures.iter().position(takes).unwrap_or(0);
    let active_parameter = signatures[active_signature].active_parameter;
    Ok(Some(SignatureHelp {
        signatures,
        active_signature: Some(active_signature as u32),
        active_parameter,
    }))
}

/// The forms of a function, and what it does.
fn described(program: &Program, name: &str, offset: u32) -> (Vec<String>, Option<String>) {
    let namespace = program.namespace_at(offset);
    let qualified = format!("{namespace}::{name}");
    let plain = name.strip_prefix("awk::").unwrap_or(name);
    let own = program.functions().find(|(_, it)| it.name == qualified || it.name == plain);
    match own {
        Some((_, function)) => {
            let comment = program.comment_above(function.span.start);
            (vec![format!("{}{}", function.name, form(function))], comment)
        }
        None => (signatures(plain), summary(plain).map(str::to_owned)),
    }
}

/// The name of the call that is open at the end of a text, and the number of the argument. Looks
/// back only as far as the statement.
fn open_call(text: &[u8]) -> Option<(String, u32)> {
    const FAR: usize = 4_000;
    let start = text.len().saturating_sub(FAR);
    let mut open: Vec<(Option<String>, u32)> = Vec::new();
    let (mut at, mut value_before) = (start, false);
    while let Some(&byte) = text.get(at) {
        let next = at + 1;
        match byte {
            b'"' => at = quoted_end(text, at, b'"'),
            // After an operand a slash divides.
            b'/' if !value_before => at = quoted_end(text, at, b'/'),
            b'#' => {
                let rest = &text[at..];
                at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                continue;
            }
            b'(' | b'[' => {
                let name = if byte == b'(' { name_before(text, at) } else { None };
                open.push((name, 0));
                at = next;
            }
            b')' | b']' => {
                open.pop();
                at = next;
            }
            b'{' | b'}' | b';' => {
                open.clear();
                at = next;
            }
            b',' => {
                if let Some(last) = open.last_mut() {
                    last.1 += 1;
                }
                at = next;
            }
            _ => at = next,
        }
        if !byte.is_ascii_whitespace() {
            value_before = byte.is_ascii_alphanumeric() || b"_)]\"/".contains(&byte);
        }
    }
    let (name, argument) = open.into_iter().rev().find(|(name, _)| name.is_some())?;
    Some((name?, argument))
}

/// Behind the end of a text in quotes, or of the line.
fn quoted_end(text: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at.min(text.len())
}

fn name_before(text: &[u8], at: usize) -> Option<String> {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'_' | b':');
    let length = text[..at].iter().rev().take_while(is_part).count();
    let name = String::from_utf8_lossy(&text[at - length..at]).into_owned();
    let words = ["if", "while", "for", "switch", "print", "printf", "return", "in", "delete"];
    (!name.is_empty() && !words.contains(&&*name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::open_call;

    #[test]
    fn the_open_call_is_found_through_texts_and_other_calls() {
        for (text, found) in [
            ("x = substr(s, ", Some(("substr", 1))),
            ("f(g(1, 2), \"a(,\", /b,(/", Some(("f", 2))),
            ("f(a[1,2], ", Some(("f", 1))),
            ("f(a / 2, ", Some(("f", 1))),
            ("f(1); ", None),
            ("f(1) + (", None),
            ("if (x", None),
            ("f(# g(\n1, ", Some(("f", 1))),
            ("f(\"", Some(("f", 0))),
        ] {
            let expected = found.map(|(name, at)| (name.to_owned(), at));
            assert_eq!(open_call(text.as_bytes()), expected, "{text}");
        }
    }
}
