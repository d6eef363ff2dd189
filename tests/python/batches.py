"""batches.py -- many variants at once: in order, the same on any number of threads, one failure does not stop the rest."""
import csv
import os
import tempfile
import unittest

import case
import judder as jd
import numpy as np
import pandas as pd

LIMIT, AMPLITUDE = "contacts.tip.law.limit", "drives.shaker.amplitude"


class Batches(unittest.TestCase):
    def setUp(self):
        self.m = jd.load(case.BEAM).section("simulate", until="10 periods")

    def test_results_come_in_order_on_any_number_of_threads(self):
        values = np.linspace(0.1, 1, 12)
        want = []
        for v in values:
            self.m.set(LIMIT, float(v))
            want.append(self.m.run().events["t"].tolist())
        self.m.set(LIMIT, 0.66)
        for threads in (1, 3):
            b = jd.batch(self.m, [{LIMIT: v} for v in values], threads=threads)
            self.assertEqual([r.events["t"].tolist() for r in b], want)
        self.assertEqual(self.m[LIMIT], 0.66)  # the model itself is not changed

    def test_a_number_of_threads_that_cannot_be_is_refused(self):
        for threads, name in ((-3, "out-of-range"), (10**12, "out-of-range"), (1.5, "wrong-type"),
                              (True, "wrong-type"), ("2", "wrong-type")):
            for call in (lambda n=threads: jd.batch(self.m, [{LIMIT: 0.5}], threads=n), lambda n=threads: self.m.run(threads=n),
                         lambda n=threads: self.m.sweep({LIMIT: [0.5, 0.6]}, threads=n)):
                with self.assertRaises(jd.ModelError) as caught:
                    call()
                self.assertEqual((caught.exception.name, caught.exception.where), (name, "threads"))
        self.assertEqual(jd.batch(self.m, [{LIMIT: 0.5}], threads=np.int64(1))[0].stop, "end")

    def test_cases_as_a_table(self):
        frame = pd.DataFrame({LIMIT: [0.2, 0.4, 0.6], AMPLITUDE: ["2 N", "3 N", "2.4 N"]})
        b = jd.batch(self.m, frame, threads=2)
        self.assertEqual(b.failed, {})
        out = b.to_pandas()
        self.assertEqual(out[LIMIT].tolist(), [0.2, 0.4, 0.6])
        self.assertEqual(out["stop"].tolist(), ["end"] * 3)
        self.assertTrue(out["certified"].all())
        columns = jd.batch(self.m, {LIMIT: [0.2, 0.4, 0.6], AMPLITUDE: [2.0, 3.0, 2.4]})
        self.assertEqual([r.events["t"].tolist() for r in columns], [r.events["t"].tolist() for r in b])
        self.assertRaises(jd.ModelError, lambda: jd.batch(self.m, {LIMIT: [1, 2], AMPLITUDE: [1]}))

    def test_one_failure_does_not_stop_the_rest(self):
        b = jd.batch(self.m, [{LIMIT: 0.5}, {LIMIT: -1.0}, {"contacts.none.law.limit": 1.0}, {}, {LIMIT: "x"}], threads=2)
        self.assertEqual(sorted(b.failed), [1, 2, 4])
        self.assertEqual(b.failed[1].name, "out-of-range")
        self.assertEqual(b[0].stop, "end")
        self.assertEqual(b[3].events["t"].tolist(), self.m.run().events["t"].tolist())
        self.assertEqual(b.to_pandas()["error"].tolist()[1], "out-of-range")
        self.assertIn("3 failed", repr(b))

    def test_other_verbs_and_functions(self):
        b = jd.batch(self.m, {LIMIT: [0.2, 0.5]}, do="orbit", settle="50 periods")
        self.assertTrue(all(o.found for o in b))
        self.assertEqual(jd.batch(self.m, {LIMIT: [0.2, 0.5]}, do=lambda m: m[LIMIT]), [0.2, 0.5])

        def broken(m):
            raise KeyError("mine")

        self.assertIsInstance(jd.batch(self.m, [{}], do=broken)[0], KeyError)
        self.assertRaises(jd.ModelError, lambda: jd.batch(self.m, [{}], do="jump"))
        self.assertEqual(jd.batch(self.m, []), [])

    def test_the_command_does_the_same(self):
        values = [0.1, 0.25, 0.4, 0.7]
        b = jd.batch(self.m, {LIMIT: values, AMPLITUDE: ["2 N", "3 N", "2.4 N", "2 N"]})
        with tempfile.TemporaryDirectory() as folder:
            table, out, rows = (os.path.join(folder, n) for n in ("cases.csv", "out.h5", "out.csv"))
            with open(table, "w", encoding="utf-8") as file:
                file.write(f"{LIMIT},{AMPLITUDE}\n0.1,2 N\n0.25,3 N\n0.4,\n0.7,2 N\n-1,\n")
            code, _, said = case.command("batch", case.BEAM, "--table", table, "-o", out, "--csv", rows, "-q", "--threads", "2",
                                         "--set", "simulate.until=10 periods")
            self.assertEqual(code, 1, said)  # one case is refused
            cases = jd.open(out)
            with open(rows, encoding="utf-8", newline="") as file:
                lines = list(csv.DictReader(file))
        self.assertEqual((cases.kind, cases.failed, len(cases.cases)), ("batch", 1, 5))
        self.assertEqual(cases.cases["error"], ["ok"] * 4 + ["out-of-range"])
        self.assertEqual(cases.parameters[LIMIT][4], "-1")
        for i, r in enumerate(b):
            self.assertEqual(cases.cases["events"][i], len(r.events))
            self.assertEqual(cases.contacts["tip.displacement.max"][i], r.contacts["tip"].range.displacement.max)
            self.assertEqual(cases.contacts["tip.friction"][i], r.contacts["tip"].friction)
            self.assertEqual(float(lines[i]["tip.friction [J]"]), r.contacts["tip"].friction)
        self.assertEqual(cases.to_pandas().shape[0], 5)
        self.assertIn("failed", repr(cases))

    def test_records_of_earthquakes(self):
        m = case.oscillator(jd, until=4.0)
        t = np.linspace(0, 4, 500)
        rng = np.random.default_rng(1)
        records = [np.cumsum(rng.normal(size=500)) * 0.2 for _ in range(6)]
        cases = [{"drives.shaker": jd.drives.table(of="base", time=t, value=a), "contacts.rub.law.limit": f}
                 for a, f in zip(records, np.geomspace(0.5, 4, 6))]
        b = jd.batch(m, cases, do=lambda one: one.run().contacts["rub"].friction, threads=2)
        self.assertEqual(b.failed, {})
        self.assertEqual(len(set(b)), 6)
        single = m.copy()
        single.set(cases[4])
        self.assertEqual(single.run().contacts["rub"].friction, b[4])


if __name__ == "__main__":
    case.main()
