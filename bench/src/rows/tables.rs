//! CSV with quoted fields: only awks with a CSV mode take part.

use super::Row;
use crate::data::QUOTED;

const PYTHON_SELECT: &str = "import sys, csv\nfor row in csv.reader(open(sys.argv[1], newline='')): sys.stdout.write(row[1] + '\\n')";
const PYTHON_SUM: &str = "import sys, csv\nr = csv.reader(open(sys.argv[1], newline='')); next(r)\nprint('%.2f' % sum(float(row[3]) for row in r))";

pub fn rows() -> Vec<Row> {
    let csv = |row: Row| {
        row.flags(&["--csv"])
            .by_case()
            .awk_with("goawk", &["--csv"])
            .awk_with("frawk", &["-i", "csv"])
    };
    let named =
        |row: Row| row.flags(&["--csv", "-H"]).by_case().awk_with("goawk", &["--csv", "-H"]);
    vec![
        csv(Row::reads("csv-quoted-select", "a quoted column of CSV", &[QUOTED], "{ print $2 }"))
            .python(PYTHON_SELECT)
            .of_fastest_awk(0.5),
        csv(Row::reads(
            "csv-quoted-sum",
            "sum a column of CSV with quoted fields",
            &[QUOTED],
            "{ s += $4 } END { printf \"%.2f\\n\", s }",
        ))
        .python(PYTHON_SUM)
        .of_fastest_awk(0.5),
        csv(Row::reads(
            "csv-quoted-where",
            "count rows by a quoted column of CSV",
            &[QUOTED],
            "$5 == \"said \\\"no\\\"\" { n++ } END { print n }",
        ))
        .of_fastest_awk(0.5),
        named(Row::reads(
            "csv-named-select",
            "a quoted column of CSV by its name",
            &[QUOTED],
            "{ print @\"names\" }",
        ))
        .case("frawk", &["-H", "-i", "csv"], Some("{ print $FI[\"names\"] }"))
        .tool("mlr", &["--icsv", "--onidx", "cut", "-f", "names"])
        .of_fastest_awk(0.5),
        named(Row::reads(
            "csv-named-sum",
            "sum a column of CSV by its name",
            &[QUOTED],
            "{ s += @\"count\" } END { printf \"%d\\n\", s }",
        ))
        .case(
            "frawk",
            &["-H", "-i", "csv"],
            Some("{ s += $FI[\"count\"] } END { printf \"%d\\n\", s }"),
        )
        .tool("mlr", &["--icsv", "--onidx", "stats1", "-a", "sum", "-f", "count"])
        .of_fastest_awk(0.5),
        Row::reads(
            "csv-edit",
            "change a column of CSV, the others as they were",
            &[QUOTED],
            "{ $3 = \"x\"; print }",
        )
        .flags(&["--csv", "--output-csv"])
        .by_case(),
    ]
}
