"""What the embedded programs say of results. Skipped without pandas."""
import contextlib
import io
import json
import pathlib
import sys
import unittest

try:
    import matplotlib
    import pandas as pd
except ImportError:
    sys.exit(77)

matplotlib.use("Agg")
PROGRAMS = pathlib.Path(__file__).parents[3] / "src" / "analyst" / "tell" / "python"


def run(program, config, **frames):
    source = (PROGRAMS / f"{program}.py").read_text()
    names = {"__name__": "__main__", "json": json, "CONFIG": config, **frames}
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(source, program, "exec"), names)
    return out.getvalue().strip().splitlines()[-1]


def config(**changes):
    plain = {"dimensions": ["city"], "measures": ["revenue"], "adding": ["revenue"],
             "counts": [], "shares": [], "time_column": None, "grain": None,
             "ranges": [], "sorted_by": "revenue", "sorted_as": "falling", "top": 0,
             "partial": False, "things": False, "listed": None, "total_step": 2, "keys_step": 0,
             "lookup_step": 0, "absent_step": 0, "absent": "",
             "period_looked_up": False, "outside": "",
             "values": [], "parts": [], "problem": "", "truncated": False, "error": "",
             "labels": {}, "bars": False, "title": "revenue by city"}
    return {**plain, **changes}


def verdicts(settings, **frames):
    report = json.loads(run("check", settings, **frames))
    return {c["name"]: c for c in report["checks"]}


def failed(checks):
    return sorted(name for name, c in checks.items()
                  if not c["passed"] and c["severity"] == "fail")


CITIES = pd.DataFrame({"city": ["A", "B"], "revenue": [3.0, 1.0]})
TOTAL = pd.DataFrame({"revenue": [4.0]})


class Checks(unittest.TestCase):
    def test_a_right_result_passes(self):
        checks = verdicts(config(), step_1_data=CITIES, step_2_data=TOTAL)
        self.assertTrue(all(c["passed"] for c in checks.values()), checks)
        self.assertIn("revenue_adds_up", checks)

    def test_doubled_rows_do_not_add_up(self):
        doubled = pd.DataFrame({"city": ["A", "B"], "revenue": [6.0, 2.0]})
        checks = verdicts(config(), step_1_data=doubled, step_2_data=TOTAL)
        self.assertEqual(failed(checks), ["revenue_adds_up"])

    def test_a_group_stands_once(self):
        twice = pd.DataFrame({"city": ["A", "A", None], "revenue": [2, 1, 1]})
        checks = verdicts(config(), step_1_data=twice, step_2_data=TOTAL)
        self.assertEqual(failed(checks), ["one_row_per_group"])
        checks = verdicts(config(things=True), step_1_data=twice, step_2_data=TOTAL)
        self.assertEqual(failed(checks), [])
        self.assertFalse(checks["one_row_per_group"]["passed"])

    def test_a_missing_column_is_found(self):
        checks = verdicts(config(), step_1_data=pd.DataFrame({"city": ["A"]}))
        self.assertEqual(failed(checks), ["expected_columns"])

    def test_no_result_fails(self):
        checks = verdicts(config(error="no such column"))
        self.assertEqual(failed(checks), ["query_ran"])
        self.assertEqual(checks["query_ran"]["message"], "no such column")

    def test_an_empty_result_is_only_warned_of(self):
        for empty in (pd.DataFrame(), pd.DataFrame(columns=["city", "revenue"])):
            checks = verdicts(config(), step_1_data=empty,
                              step_2_data=pd.DataFrame({"revenue": [None]}))
            self.assertEqual(failed(checks), [], checks)
            self.assertFalse(checks["rows_returned"]["passed"])

    def test_wrong_order_and_size_fail(self):
        rising = CITIES.iloc[::-1]
        checks = verdicts(config(top=1, partial=True), step_1_data=rising,
                          step_2_data=TOTAL)
        self.assertEqual(failed(checks), ["in_order", "top_size"])

    def test_counts_are_whole(self):
        odd = pd.DataFrame({"city": ["A", "B"], "revenue": [2.5, -1]})
        checks = verdicts(config(counts=["revenue"], adding=[]), step_1_data=odd)
        self.assertEqual(failed(checks), ["revenue_is_a_count"])

    def test_dates_outside_the_period_fail(self):
        months = pd.DataFrame({
            "month": pd.to_datetime(["2025-01-01", "2025-03-01"]),
            "revenue": [1.0, 2.0]})
        settings = config(dimensions=["month"], time_column="month", grain="month",
                          sorted_by="month", sorted_as="time", total_step=0,
                          ranges=[["2025-01-01", "2025-03-01"]])
        checks = verdicts(settings, step_1_data=months)
        self.assertEqual(failed(checks), ["within_period"])
        self.assertFalse(checks["no_gap_in_time"]["passed"])
        self.assertIn("1 months", checks["no_gap_in_time"]["message"])

    def test_shares_add_up_to_a_hundred(self):
        shares = pd.DataFrame({"city": ["A", "B"], "share_percent": [60.0, 50.0]})
        settings = config(measures=["share_percent"], adding=[], total_step=0,
                          shares=["share_percent"], sorted_by="share_percent")
        checks = verdicts(settings, step_1_data=shares)
        self.assertEqual(failed(checks), ["share_percent_adds_up"])

    def test_a_value_that_is_nowhere_fails(self):
        found = pd.DataFrame({"value": ["A", "A"], "field": ["x", "y"],
                              "matches": [0, 2]})
        settings = config(lookup_step=3, values=["A", "B"])
        report = json.loads(run("check", settings, step_1_data=CITIES,
                                step_2_data=TOTAL, step_3_data=found))
        told = [c["passed"] for c in report["checks"] if c["name"] == "value_found"]
        self.assertEqual(told, [True, False])
        severities = {c["severity"] for c in report["checks"]
                      if c["name"] == "value_found" and not c["passed"]}
        self.assertEqual(severities, {"fail"})

    def test_a_row_that_counts_twice_fails(self):
        for own, wanted in ((7, []), (6, ["no_row_twice"])):
            keys = pd.DataFrame({"joined_rows": [7], "own_rows": [own]})
            checks = verdicts(config(total_step=0, keys_step=2), step_1_data=CITIES,
                              step_2_data=keys)
            self.assertEqual(failed(checks), wanted)

    def test_without_a_check_that_could_fail_there_is_no_report(self):
        one = pd.DataFrame({"revenue": [3.0]})
        settings = config(dimensions=[], total_step=0, sorted_by=None)
        self.assertNotIn("checks", run("check", settings, step_1_data=one))
        keys = pd.DataFrame({"joined_rows": [7], "own_rows": [7]})
        self.assertIn("checks", run("check", {**settings, "keys_step": 2},
                                    step_1_data=one, step_2_data=keys))

    def test_values_without_one_place_fail(self):
        for problem, wanted in (("“A” is a value of x and of y", ["values_have_one_place"]),
                                ("", [])):
            checks = verdicts(config(problem=problem), step_1_data=CITIES,
                              step_2_data=TOTAL)
            self.assertEqual(failed(checks), wanted)

    def test_groups_without_rows_fail_where_the_fewest_are_asked_for(self):
        for absent, wanted in (("others have none: 2", ["none_without_rows"]), ("", [])):
            checks = verdicts(config(absent_step=3, absent=absent), step_1_data=CITIES,
                              step_2_data=TOTAL)
            self.assertIn("none_without_rows", checks)
            self.assertEqual(failed(checks), wanted)

    def test_a_period_outside_the_data_fails(self):
        for outside, wanted in (("The data begin on 2026-02-01.", ["period_in_data"]),
                                ("", [])):
            checks = verdicts(config(period_looked_up=True, outside=outside),
                              step_1_data=CITIES, step_2_data=TOTAL)
            self.assertIn("period_in_data", checks)
            self.assertEqual(failed(checks), wanted)

    def test_breakdowns_add_up_to_the_whole(self):
        whole = pd.DataFrame({"period": ["now", "now"], "side": ["A", "all others"],
                              "revenue": [3.0, 9.0]})
        part = pd.DataFrame({"kind": ["x", "y", "x"], "period": ["now"] * 3,
                             "side": ["A", "A", "all others"],
                             "revenue": [1.0, 2.0, 9.0]})
        settings = config(total_step=0, parts=[3])
        checks = verdicts(settings, step_1_data=CITIES, step_2_data=whole,
                          step_3_data=part)
        self.assertTrue(checks["kind_adds_up"]["passed"])
        part.loc[0, "revenue"] = 5.0
        checks = verdicts(settings, step_1_data=CITIES, step_2_data=whole,
                          step_3_data=part)
        self.assertEqual(failed(checks), ["kind_adds_up"])

    def test_decimals_as_text_are_numbers(self):
        text = pd.DataFrame({"city": ["A", "B"], "revenue": ["3", "1.0"]})
        checks = verdicts(config(), step_1_data=text, step_2_data=TOTAL)
        self.assertTrue(all(c["passed"] for c in checks.values()), checks)


class Charts(unittest.TestCase):
    def tearDown(self):
        matplotlib.pyplot.close("all")

    def figures(self, settings, data):
        line = run("chart", settings, step_1_data=data)
        return line, len(matplotlib.pyplot.get_fignums())

    def test_groups_become_bars(self):
        many = pd.DataFrame({"city": [f"${i}$" for i in range(40)],
                             "revenue": range(40)})
        line, n = self.figures(config(), many)
        self.assertEqual((line, n), ("Drawn: revenue by city, 40 rows.", 1))
        axes = matplotlib.pyplot.gcf().axes[0]
        self.assertEqual(len(axes.patches), 30)
        matplotlib.pyplot.gcf().savefig(io.BytesIO())

    def test_time_becomes_lines(self):
        months = pd.DataFrame({
            "month": pd.to_datetime(["2025-01-01", "2025-01-01", "2025-02-01"]),
            "city": ["A", None, "A"], "revenue": ["1", "2", None]})
        settings = config(dimensions=["month", "city"], time_column="month")
        _, n = self.figures(settings, months)
        self.assertEqual(n, 1)
        self.assertEqual(len(matplotlib.pyplot.gcf().axes[0].lines), 2)
        matplotlib.pyplot.gcf().savefig(io.BytesIO())

    def test_sides_of_different_size_share_a_scale(self):
        months = pd.DataFrame({
            "month": pd.to_datetime(["2025-01-01", "2025-02-01"] * 2),
            "side": ["A", "A", "all others", "all others"],
            "revenue": [1.0, 3.0, 1000.0, 3000.0]})
        settings = config(dimensions=["month", "side"], time_column="month",
                          indexed=True)
        self.figures(settings, months)
        lines = matplotlib.pyplot.gcf().axes[0].lines
        self.assertEqual([list(line.get_ydata()) for line in lines],
                         [[50.0, 150.0]] * 2)

    def test_nothing_is_not_drawn(self):
        line, n = self.figures(config(), pd.DataFrame())
        self.assertEqual((line, n), ("There are no rows to draw.", 0))


if __name__ == "__main__":
    unittest.main()
