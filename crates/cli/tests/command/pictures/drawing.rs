//! A window with lines of coloured text, as SVG.

use std::fmt::Write;

const LINE: usize = 19;
const CHARACTER: f64 = 7.83;
const TOP: usize = 44;
const LEFT: f64 = 14.0;
const WIDTH: usize = 860;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Plain,
    Bright,
    Quiet,
    Keyword,
    Function,
    Variable,
    Parameter,
    Text,
    Number,
    Regex,
    Comment,
    Warning,
}

impl Colour {
    fn class(self) -> &'static str {
        match self {
            Colour::Plain => "p",
            Colour::Bright => "b",
            Colour::Quiet => "q",
            Colour::Keyword => "k",
            Colour::Function => "f",
            Colour::Variable => "v",
            Colour::Parameter => "a",
            Colour::Text => "t",
            Colour::Number => "n",
            Colour::Regex => "r",
            Colour::Comment => "c",
            Colour::Warning => "w",
        }
    }
}

const STYLE: &str = "text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}\
.p{fill:#d7dde5}.b{fill:#fff;font-weight:700}.q{fill:#8492a6}.k{fill:#c792ea}.f{fill:#82aaff}.v{fill:#f0d399}.a{fill:#f78c6c}\
.t{fill:#c3e88d}.n{fill:#f5a97f}.r{fill:#89ddff}.c{fill:#7f8c9d;font-style:italic}.w{fill:#ffcb6b}";

pub struct Drawing {
    title: String,
    body: String,
    lines: usize,
}

impl Drawing {
    pub fn new(title: &str) -> Drawing {
        Drawing { title: title.to_owned(), body: String::new(), lines: 0 }
    }

    fn baseline(&self) -> usize {
        TOP + self.lines * LINE + 14
    }

    /// A line of parts.
    pub fn line(&mut self, parts: &[(Colour, &str)]) {
        let y = self.baseline();
        let _ = write!(self.body, "<text x=\"{LEFT}\" y=\"{y}\" xml:space=\"preserve\">");
        for (colour, text) in parts.iter().filter(|(_, text)| !text.is_empty()) {
            let _ =
                write!(self.body, "<tspan class=\"{}\">{}</tspan>", colour.class(), escaped(text));
        }
        self.body.push_str("</text>\n");
        self.lines += 1;
    }

    pub fn gap(&mut self) {
        self.lines += 1;
    }

    /// Underlines columns of the last line.
    pub fn underline(&mut self, from: usize, to: usize) {
        let y = self.baseline() - LINE + 4;
        let x = |column: usize| LEFT + column as f64 * CHARACTER;
        let _ = writeln!(
            self.body,
            "<path d=\"M{:.1} {y}H{:.1}\" stroke=\"#ffcb6b\" stroke-width=\"2\" stroke-dasharray=\"3 1.5\"/>",
            x(from),
            x(to)
        );
    }

    pub fn finish(self) -> String {
        let height = TOP + self.lines * LINE + 12;
        let title = escaped(&self.title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\"{title}\">\n\
             <style>{STYLE}</style>\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" rx=\"8\" fill=\"#1d2330\"/>\n\
             <path d=\"M0 8a8 8 0 0 1 8-8h{}a8 8 0 0 1 8 8v24H0z\" fill=\"#2a3242\"/>\n\
             <circle cx=\"18\" cy=\"16\" r=\"5\" fill=\"#ff6b5f\"/><circle cx=\"36\" cy=\"16\" r=\"5\" fill=\"#febc2e\"/><circle cx=\"54\" cy=\"16\" r=\"5\" fill=\"#2bc840\"/>\n\
             <text x=\"{}\" y=\"21\" text-anchor=\"middle\" class=\"q\">{title}</text>\n{}</svg>\n",
            WIDTH - 16,
            WIDTH / 2,
            self.body
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
