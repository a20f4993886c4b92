//! Programs as trees of text, from which parts can be removed without knowing their meaning.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// May be replaced by an expression inside it, or by a constant.
    Expression,
    /// May be left out: a statement, a rule, a function, an item of a list.
    Optional,
    Fixed,
}

#[derive(Clone, Debug)]
pub enum Part {
    Text(String),
    Node(Node),
}

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    pub parts: Vec<Part>,
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        Part::Text(text.to_owned())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Part {
        Part::Text(text)
    }
}

impl From<Node> for Part {
    fn from(node: Node) -> Part {
        Part::Node(node)
    }
}

macro_rules! expression {
    ($($part:expr),* $(,)?) => {
        $crate::tree::Node { kind: $crate::tree::Kind::Expression, parts: vec![$($crate::tree::Part::from($part)),*] }
    };
}

macro_rules! optional {
    ($($part:expr),* $(,)?) => {
        $crate::tree::Node { kind: $crate::tree::Kind::Optional, parts: vec![$($crate::tree::Part::from($part)),*] }
    };
}

macro_rules! fixed {
    ($($part:expr),* $(,)?) => {
        $crate::tree::Node { kind: $crate::tree::Kind::Fixed, parts: vec![$($crate::tree::Part::from($part)),*] }
    };
}

pub(crate) use {expression, fixed, optional};

impl Node {
    pub fn list(nodes: Vec<Node>) -> Node {
        Node { kind: Kind::Fixed, parts: nodes.into_iter().map(Part::Node).collect() }
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Node(node) => node.write(out),
            }
        }
    }

    /// The node with this number, counting parents before their children.
    pub fn nth(&mut self, number: usize) -> Option<&mut Node> {
        let mut left = number;
        self.find(&mut left)
    }

    fn find(&mut self, left: &mut usize) -> Option<&mut Node> {
        if *left == 0 {
            return Some(self);
        }
        *left -= 1;
        self.parts.iter_mut().find_map(|part| match part {
            Part::Node(node) => node.find(left),
            Part::Text(_) => None,
        })
    }

    pub fn replacements(&self) -> Vec<Node> {
        match self.kind {
            Kind::Fixed => Vec::new(),
            Kind::Optional => vec![Node { kind: Kind::Fixed, parts: Vec::new() }],
            Kind::Expression => {
                let text = self.text();
                let constants =
                    ["1", "\"a\"", "x"].into_iter().filter(|constant| constant.len() < text.len());
                let mut all: Vec<Node> = constants.map(|constant| fixed![constant]).collect();
                self.expressions_inside(&mut all);
                all
            }
        }
    }

    fn expressions_inside(&self, into: &mut Vec<Node>) {
        for part in &self.parts {
            match part {
                Part::Node(node) if node.kind == Kind::Expression => into.push(node.clone()),
                Part::Node(node) => node.expressions_inside(into),
                Part::Text(_) => {}
            }
        }
    }
}
