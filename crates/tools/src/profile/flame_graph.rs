//! A flame graph in SVG: a box for each node of the call tree, as wide as its time, on its caller's
//! box. Boxes show their numbers under the mouse and widen by a click.

use super::Profile;
use crate::hash::fnv_1a;
use crate::markup::escaped;
use std::fmt::Write;

/// Pixels.
const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 18.0;
const CHARACTER: f64 = 7.0;
const MARGIN: f64 = 10.0;
const TOP: f64 = 40.0;

/// Narrower boxes are left out: pixels.
const LEAST: f64 = 0.1;

const STYLE: &str = "text{font:12px monospace;pointer-events:none}rect{stroke:#fff;stroke-width:.5}rect:hover{stroke:#000}";

/// Widens the clicked box to the whole picture.
const SCRIPT: &str = "const boxes=[...document.querySelectorAll('g')];\
function zoom(x,w){for(const g of boxes){const [bx,bw]=g.dataset.at.split(' ').map(Number);\
const l=Math.max(bx,x),r=Math.min(bx+bw,x+w),e=1e-9;\
if(r-l<=e){g.style.display='none';continue}\
g.style.display='';const k=1180/w,X=10+(l-x)*k,W=(r-l)*k,t=g.querySelector('text'),n=g.dataset.name,c=Math.floor((W-6)/7);\
g.querySelector('rect').setAttribute('x',X);g.querySelector('rect').setAttribute('width',W);\
t.setAttribute('x',X+3);t.textContent=c<3?'':n.length<=c?n:n.slice(0,c-2)+'..'}}\
for(const g of boxes)g.addEventListener('click',()=>zoom(...g.dataset.at.split(' ').map(Number)));";

pub(super) fn write(profile: &Profile) -> String {
    let mut totals: Vec<u64> = profile.stacks.iter().map(|node| node.time).collect();
    let mut children = vec![Vec::new(); profile.stacks.len()];
    for (number, node) in profile.stacks.iter().enumerate().skip(1) {
        children[node.parent].push(number);
    }
    // From the leaves on.
    let order = depth_first(&children);
    for &(number, _) in order.iter().rev() {
        if number > 0 {
            totals[profile.stacks[number].parent] += totals[number];
        }
    }
    let all = totals.first().copied().unwrap_or(0).max(1) as f64;
    let deepest = order
        .iter()
        .filter(|(number, _)| totals[*number] as f64 / all * WIDTH >= LEAST)
        .map(|(_, depth)| *depth)
        .max()
        .unwrap_or(0);
    let height = TOP + (deepest + 1) as f64 * HEIGHT + MARGIN;
    let mut out = format!(
        "<?xml version=\"1.0\" standalone=\"no\"?>\n<svg version=\"1.1\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" xmlns=\"http://www.w3.org/2000/svg\">\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fafafa\"/>\n\
         <text x=\"{}\" y=\"24\" text-anchor=\"middle\" style=\"font-size:17px\">{}: {:.3} s</text>\n",
        WIDTH / 2.0,
        escaped(&profile.program),
        all / 1e9
    );
    let mut starts = vec![0.0; profile.stacks.len()];
    for (number, depth) in order {
        let (start, share) = (starts[number], totals[number] as f64 / all);
        let mut next = start;
        for &child in &children[number] {
            starts[child] = next;
            next += totals[child] as f64 / all;
        }
        let shown = Shown { start, share, y: height - MARGIN - (depth + 1) as f64 * HEIGHT };
        if share * WIDTH >= LEAST {
            draw(profile, number, totals[number], &shown, &mut out);
        }
    }
    let _ = write!(out, "<script><![CDATA[{SCRIPT}]]></script>\n</svg>\n");
    out
}

/// Each after its parent.
fn depth_first(children: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut order = Vec::new();
    let mut waiting = if children.is_empty() { Vec::new() } else { vec![(0, 0)] };
    while let Some((number, depth)) = waiting.pop() {
        order.push((number, depth));
        waiting.extend(children[number].iter().rev().map(|&child| (child, depth + 1)));
    }
    order
}

/// Start and width as parts of the whole, and the upper edge.
struct Shown {
    start: f64,
    share: f64,
    y: f64,
}

fn draw(profile: &Profile, number: usize, total: u64, shown: &Shown, out: &mut String) {
    let name = profile.stacks[number].part.map_or("all", |part| profile.parts[part].name.as_str());
    let inner = WIDTH - 2.0 * MARGIN;
    let (x, width) = (MARGIN + shown.start * inner, shown.share * inner);
    let room = ((width - 6.0) / CHARACTER) as usize;
    let text = match name.chars().count() {
        _ if room < 3 => String::new(),
        count if count <= room => name.to_owned(),
        _ => name.chars().take(room - 2).collect::<String>() + "..",
    };
    let _ = writeln!(
        out,
        "<g data-at=\"{:.9} {:.9}\" data-name=\"{name}\"><title>{name}: {:.3} ms, {:.2} %</title>\
         <rect x=\"{x:.2}\" y=\"{y}\" width=\"{width:.2}\" height=\"{HEIGHT}\" fill=\"{colour}\"/>\
         <text x=\"{tx:.2}\" y=\"{ty}\">{text}</text></g>",
        shown.start,
        shown.share,
        total as f64 / 1e6,
        shown.share * 100.0,
        name = escaped(name),
        y = shown.y,
        colour = colour(name),
        tx = x + 3.0,
        ty = shown.y + 13.0,
        text = escaped(&text),
    );
}

/// The same for the same name.
fn colour(name: &str) -> String {
    let hash = fnv_1a(name.as_bytes());
    let part = |shift: u32, range: u64| hash.wrapping_shr(shift) % range;
    format!("rgb({},{},{})", 205 + part(8, 50), 90 + part(24, 130), 30 + part(40, 50))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::ProfileFormat;
    use crate::profile::sample::sample;

    fn boxes(svg: &str) -> Vec<(String, f64, f64)> {
        let attribute = |line: &str, name: &str| -> String {
            let from = line.split_once(&format!("{name}=\"")).unwrap().1;
            from.split_once('"').unwrap().0.to_owned()
        };
        let read = |line: &str| {
            let at = attribute(line, "data-at");
            let (start, width) = at.split_once(' ').unwrap();
            (attribute(line, "data-name"), start.parse().unwrap(), width.parse().unwrap())
        };
        svg.lines().filter(|line| line.starts_with("<g ")).map(read).collect()
    }

    #[test]
    fn a_box_is_as_wide_as_what_passed_in_it_and_below_and_lies_within_its_callers() {
        let profile = sample();
        let drawn = boxes(&profile.write(ProfileFormat::FlameGraph));
        let all = 2_811_000.0;
        let names: Vec<&str> = drawn.iter().map(|(name, ..)| name.as_str()).collect();
        assert_eq!(names, ["all", "BEGIN", "f", "g", "main", "$1 ~ /a;b/", "g"]);
        let widths =
            [2_811_000.0, 2_210_000.0, 2_200_000.0, 2_000_000.0, 600_000.0, 560_000.0, 60_000.0];
        for ((name, _, width), expected) in drawn.iter().zip(widths) {
            assert!((width - expected / all).abs() < 1e-8, "{name} {width}");
        }
        let within = |inner: usize, outer: usize| {
            let ((_, a, b), (_, c, d)) = (&drawn[inner], &drawn[outer]);
            assert!(*a >= c - 1e-8 && a + b <= c + d + 1e-8, "{inner} in {outer}");
        };
        [(1, 0), (2, 1), (3, 2), (4, 0), (5, 4), (6, 5)]
            .iter()
            .for_each(|&(inner, outer)| within(inner, outer));
        assert!(drawn[4].1 >= drawn[1].1 + drawn[1].2 - 1e-8, "boxes side by side do not overlap");
    }

    #[test]
    fn names_are_text_whatever_is_in_them() {
        let mut profile = sample();
        profile.parts[0].name = String::from("$1 < \"a\" && x");
        let svg = profile.write(ProfileFormat::FlameGraph);
        assert!(svg.contains("data-name=\"$1 &lt; &quot;a&quot; &amp;&amp; x\""), "{svg}");
        assert_eq!(colour("f"), colour("f"));
    }
}
