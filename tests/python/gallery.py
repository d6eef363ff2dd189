"""gallery.py -- jd.load(m).run() gives bit for bit what the command gives, for every model of the gallery."""
import csv
import glob
import json
import os
import tempfile
import unittest

import case
import judder as jd

SHORTER = {"pile/blows.yaml": 0.05, "nonlinear-string/full-memory.yaml": 0.1, "impact-chain/n1000.yaml": 0.1}


def columns(path):
    """The columns of a CSV file as texts, by their names without units."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return {name.split(" [")[0]: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])} if rows else {}


class Gallery(unittest.TestCase):
    def compare(self, path, folder):
        relative = os.path.relpath(path, case.GALLERY)
        m = jd.load(path)
        share = SHORTER.get(relative)
        extra, keys = [], {}
        if share:
            until = share * m.get("simulate.until")
            unit = m.unit("simulate.until")
            text = f"{until!r} {unit}".strip()
            extra, keys = ["--set", f"simulate.until={text}"], {"set": [f"simulate.until={text}"]}
        events, samples = os.path.join(folder, "events.csv"), os.path.join(folder, "samples.csv")
        code, out, _ = case.command("run", path, "--json", "--events", events, "--csv", samples, "--force", *extra)
        said = json.loads(out)
        if "error" in said:
            with self.assertRaises(jd.ModelError) as caught:
                m.run(**keys)
            self.assertEqual(caught.exception.name, said["error"]["name"])
            return 0
        r = m.run(quiet=True, **keys)
        self.assertEqual(code, 0 if r.stop == "end" else 1)
        self.assertEqual(r.engine, said["engine"])
        want = columns(events)
        self.assertEqual([float(t) for t in want["t"]], r.events["t"].tolist())
        self.assertEqual(want["contact"], r.events.names)
        self.assertEqual(want["from"], r.events.before)
        self.assertEqual(want["to"], r.events.after)
        self.assertEqual([float(v) for v in want["speed"]], r.events["speed"].tolist())
        self.assertEqual([float(v) for v in want["impulse"]], r.events["impulse"].tolist())
        if len(r.samples["t"]) > 0:  # the command samples models that ask for none by itself
            self.sampled += 1
            for name, column in columns(samples).items():
                self.assertEqual([float(v) for v in column], r.samples[name].tolist(), name)
        self.assertEqual(said["certificate"]["certified"], r.certificate.certified)
        return len(r.events)

    def test_events_and_samples_have_the_bits_of_the_command(self):
        models = sorted(glob.glob(os.path.join(case.GALLERY, "*", "*.yaml")))
        self.assertGreater(len(models), 30)
        total = self.sampled = 0
        with tempfile.TemporaryDirectory() as folder:
            for path in models:
                with self.subTest(os.path.relpath(path, case.GALLERY)):
                    total += self.compare(path, folder)
        self.assertGreater(total, 5000)
        self.assertGreater(self.sampled, 8)


if __name__ == "__main__":
    case.main()
