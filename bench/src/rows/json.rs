//! JSON Lines, compared with specialised tools.

use super::Row;
use crate::data::JSONLINES;

const PYTHON_SELECT: &str = "import sys, json\nw = sys.stdout.write\nfor line in open(sys.argv[1], encoding='utf-8'): w(json.loads(line)['user']['name'] + '\\n')";
const PYTHON_SUM: &str = "import sys, json\nprint(sum(json.loads(line)['count'] for line in open(sys.argv[1], encoding='utf-8')))";

pub fn rows() -> Vec<Row> {
    let jsonl = |row: Row| row.flags(&["--jsonl"]).by_case().of_fastest();
    let jq = |row: Row, flags| row.tool("jq", flags).tool("jaq", flags);
    vec![
        jq(
            jsonl(Row::reads(
                "jsonl-select",
                "a string inside an object of JSON Lines",
                &[JSONLINES],
                "{ print @\"user.name\" }",
            )),
            &["-r", ".user.name"],
        )
        .tool("mlr", &["--ijsonl", "--onidx", "flatten", "then", "cut", "-f", "user.name"])
        .python(PYTHON_SELECT),
        jq(
            jsonl(Row::reads(
                "jsonl-sum",
                "sum a number of JSON Lines",
                &[JSONLINES],
                "{ s += @\"count\" } END { printf \"%d\\n\", s }",
            )),
            &["-n", "reduce inputs.count as $n (0; . + $n)"],
        )
        .tool("mlr", &["--ijsonl", "--onidx", "stats1", "-a", "sum", "-f", "count"])
        .python(PYTHON_SUM),
        jq(
            jsonl(Row::reads(
                "jsonl-edit",
                "assign a number of JSON Lines, everything else as it was",
                &[JSONLINES],
                "{ @\"count\" = 0; print }",
            )),
            &["-c", ".count = 0"],
        ),
    ]
}
