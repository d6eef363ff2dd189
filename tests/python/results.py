"""results.py -- every verb, its tables and figures, and files that are read back."""
import json
import os
import tempfile
import unittest
import warnings

os.environ.setdefault("MPLBACKEND", "Agg")
import case
import h5py
import judder as jd
import numpy as np


def gallery(*names):
    return jd.load(os.path.join(case.GALLERY, *names))


class Results(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name):
        return os.path.join(self.folder.name, name)

    def drawn(self, r, *pictures):
        for picture in pictures:
            figure = r.plot(picture)
            figure.savefig(self.file("figure.png"))
            self.assertGreater(os.path.getsize(self.file("figure.png")), 5000)
            self.assertTrue(all(ax.has_data() for ax in figure.axes[:1]))
        self.assertRaises(jd.ModelError, lambda: r.plot("nice"))

    def both_ways(self, r):
        """Written and read back: every array has its bits."""
        r.save(self.file("r.h5"))
        back = jd.open(self.file("r.h5"))
        self.assertIs(type(back), type(r))
        self.assertEqual(back.kind, r.kind)
        self.assertEqual(list(back.arrays), list(r.arrays))
        for path, a in r.arrays.items():
            if isinstance(a, np.ndarray):
                self.assertTrue(np.array_equal(a, back.arrays[path], equal_nan=a.dtype.kind == "f"), path)
            else:
                self.assertEqual(a, back.arrays[path], path)
        self.assertEqual(repr(back), repr(r))
        r.save(self.file("r.json"))
        with open(self.file("r.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["kind"], r.kind)
        return back

    def test_shards(self):
        m, grid = jd.load(case.BEAM), {"contacts.tip.law.limit": np.linspace(.2, 1, 7)}
        whole = m.sweep(grid)
        for k in 1, 2, 3:
            m.sweep(grid, shard=(k, 3), output=self.file(f"{k}.h5"))
        both = jd.merge(self.file(f"{k}.h5") for k in (3, 1, 2))
        self.assertEqual(list(both.arrays), list(whole.arrays))
        for path, a in whole.arrays.items():
            if isinstance(a, np.ndarray):
                self.assertTrue(np.array_equal(a, both.arrays[path], equal_nan=a.dtype.kind == "f"), path)
        self.both_ways(both)
        for wrong, name in (((3, 1), "missing-key"), ((1, 2, 2, 3), "duplicate-name")):
            with self.assertRaises(jd.JudderError) as e:
                jd.merge(self.file(f"{k}.h5") for k in wrong)
            self.assertEqual(e.exception.name, name)
        self.assertRaises(jd.JudderError, lambda: jd.merge([]))
        self.assertRaises(jd.JudderError, lambda: m.sweep(grid, shard=(0, 3)))
        self.assertRaises(jd.JudderError, lambda: m.sweep(grid, shard=(4, 3)))
        self.assertRaises(jd.FileError, lambda: jd.merge([self.file("nothing.h5")]))

    def test_runs(self):
        r = jd.load(case.BEAM).run(until="20 periods", samples=64, horizon=True)
        back = self.both_ways(r)
        with h5py.File(self.file("r.h5")) as file:
            self.assertTrue((file["samples/tip.u"][:] == r["tip"].u).all())
        self.assertTrue(r.horizon.known)
        self.assertTrue(r.certificate.certified)
        self.assertLess(abs(r.energy.residual), 1e-12)
        self.assertAlmostEqual(sum(r.energy.drives.values()) - r.energy.damping - sum(r.energy.friction.values()),
                               r.energy.kinetic + r.energy.strain, 12)
        frame = r.events.to_pandas()
        self.assertEqual(len(frame), len(r.events))
        self.assertEqual(set(frame["contact"]), {"tip"})
        self.assertEqual(frame["to"][0], r.events.after[0])
        self.assertEqual(r.to_xarray()["tip.u"].attrs["units"], "m")
        self.assertEqual(r.samples.to_pandas().shape, (len(r.t), 6))
        self.assertEqual(r.phases["visits"].sum(), back.phases["visits"].sum())
        self.assertEqual(r.units["samples/tip.v"], "m/s")
        self.drawn(r, "page", "history", "portrait", "force", "energy")
        r.draw(self.file("r.svg"), "history")
        self.assertGreater(os.path.getsize(self.file("r.svg")), 5000)

    def test_files_of_a_run(self):
        r = jd.load(case.BEAM).run(until="5 periods", output=self.file("o.h5"), events=self.file("e.csv"), csv=self.file("s.csv"),
                                   plot=self.file("p.svg"), picture="force", window=(1.0, 2.0))
        self.assertEqual(sum(1 for _ in open(self.file("e.csv"), encoding="utf-8")), len(r.events) + 1)
        self.assertEqual(sum(1 for _ in open(self.file("s.csv"), encoding="utf-8")), len(r.t) + 1)
        self.assertGreater(os.path.getsize(self.file("p.svg")), 5000)
        longer = jd.load(case.BEAM)
        whole = longer.run(until="9 periods")
        longer.start("restart", file=self.file("o.h5"))
        rest = longer.run(until="9 periods")
        joined = [*jd.open(self.file("o.h5")).events["t"], *rest.events["t"]]
        self.assertEqual(joined, whole.events["t"].tolist())
        short = jd.load(case.BEAM).set("simulate.until", 60)
        short.run(output=self.file("sixty.h5"))
        short.start("restart", file=self.file("sixty.h5"))
        o, usual = short.orbit(settle=0.0), jd.load(case.BEAM).orbit()
        self.assertAlmostEqual(o.contacts["tip"].range.displacement.max / usual.contacts["tip"].range.displacement.max, 1, 9)
        b = short.follow("contacts.tip.law.limit", 0.66, 0.661, step=0.5)
        self.assertEqual(b.end, "to")
        self.assertAlmostEqual(b.amplitude[0] / usual.contacts["tip"].range.displacement.max, 1, 9)
        short.set("start.file", self.file("none.h5"))
        self.assertRaises(jd.FileError, short.orbit)
        sound = gallery("bowed-string", "sound.yaml").run(wav=self.file("a.wav"), rate=22050)
        self.assertEqual(sound.stop, "end")
        self.assertGreater(os.path.getsize(self.file("a.wav")), 10000)

    def test_orbits(self):
        o = jd.load(case.BEAM).orbit()
        back = self.both_ways(o)
        self.assertTrue(o.found and o.stable and back.stable)
        self.assertLess(abs(o.multipliers[0]), 1)
        self.assertEqual(len(o.events), len(o.phases))
        self.drawn(o, "page", "multipliers", "portrait")
        a = jd.load(case.BEAM).orbit(starts=3, seed=2)
        self.assertEqual(sum(s.starts for s in a.shares) + a.lost, 3)
        self.drawn(a, "page")

    def test_branches(self):
        b = gallery("impact-oscillator", "response.yaml").follow()
        self.both_ways(b)
        self.assertEqual(len(b.special["kind"]), len(b.special["parameter"]))
        self.assertTrue(len(b.parameter) == len(b.amplitude) == len(b.points))
        self.assertIn("kind", b.special.to_pandas().columns)
        self.assertTrue(b.phase_sequences)
        self.drawn(b, "page")
        b = jd.load(case.BEAM).follow("contacts.tip.law.limit", 0.66, 0.67, step=0.5,
                                      beside={"louder": {"drives.shaker.amplitude": 2.6}})
        self.assertGreater(len(b.beside["louder"]), 2)
        self.drawn(b, "page")

    def test_backbones_and_fits(self):
        m = gallery("damper", "blade.yaml")
        b = m.backbone(points=12)
        self.assertEqual(b.end, "complete")
        self.assertTrue((np.diff(b.points["amplitude"]) > 0).all())
        self.assertLess(b.free, b.points["omega"][0] * (1 + 1e-9))
        self.both_ways(b)
        f = gallery("damper", "measured.yaml").fit()
        self.assertIn(f.end, ("converged", "exact"))
        for p in f.parameters.values():
            self.assertGreater(p.deviation, 0)
        self.assertTrue(np.allclose(np.diag(f.correlation), 1))
        self.both_ways(f)

    def test_branches_from_points_of_earlier_ones(self):
        m = jd.loads("""judder: 1
structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, damping: {type: ratio, value: 0.05},
  supports: {left: fixed, right: free}}
contacts: {stop: {at: m, against: ground, law: {type: stop, gap: 0.5, sides: both, restitution: 0.7}}}
drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 2}}
start: {type: state, displacement: [-0.2], velocity: [0]}
orbit: {settle: 300 periods}
follow: {parameter: drives.force.frequency, from: 2, to: 1, measure: stop.velocity.max}
""")
        first = m.follow()
        again = m.follow(after=(first, 20))
        self.assertAlmostEqual(again.parameter[0], first.parameter[20], places=12)
        self.assertAlmostEqual(again.amplitude[0], first.amplitude[20], places=9)
        arm = m.follow(after=(first, "branch-point1"))
        self.assertLess(abs(arm.parameter[0] - 1.4742231209), 1e-2)
        self.assertRaises(jd.ModelError, lambda: m.follow(after=(first, "flip7")))
        self.assertRaises(jd.ModelError, lambda: m.follow(after=(first, 10 ** 6)))

    def test_sweeps(self):
        m = jd.load(case.BEAM)
        path = "contacts.tip.law.limit"
        s = m.sweep({path: np.geomspace(0.1, 1, 6)}, threads=2)
        self.both_ways(s)
        data = s.to_xarray()
        self.assertEqual(data.amplitude.dims, (path,))
        self.assertTrue(np.allclose(data[path], np.geomspace(0.1, 1, 6), rtol=1e-12))
        self.assertTrue((data.amplitude.values == s.points["amplitude"]).all())
        self.assertTrue((s.to_pandas()[path].values == s.points["value"][:, 0]).all())
        self.drawn(s, "page")
        both = m.sweep({path: np.linspace(0.2, 0.6, 3), "drives.shaker.amplitude": [1.5, 2.5]}, direction="both")
        data = both.to_xarray()
        for i, point in enumerate(both.points["value"]):
            way = "up" if both.points["direction"][i] > 0 else "down"
            there = data.amplitude.sel({path: point[0], "drives.shaker.amplitude": point[1], "direction": way})
            self.assertEqual(float(there), both.points["amplitude"][i])
        self.drawn(both, "page")
        one = m.copy().set(path, 0.1).orbit()  # the same motion by another way
        self.assertAlmostEqual(one.contacts["tip"].range.displacement.max / s.points["max"][0], 1, 8)

    def test_modes_kernels_and_convergence(self):
        m = jd.load(case.BEAM)
        modes = m.modes()
        self.both_ways(modes)
        self.assertEqual(len(modes.stuck["tip"]), len(modes.free) - 1)
        self.assertEqual(len(m.modes(count=3).free), 3)
        self.drawn(modes, "page", "shapes")
        k = m.kernel(points=101)
        self.both_ways(k)
        self.assertEqual((k.G.shape, len(k.tau), k.contacts), ((101, 1, 1), 101, ["tip"]))
        self.drawn(k, "page")
        c = m.converge({"structure.elements": [4, 8, 16]}, "tip.max", until="5 periods")
        self.both_ways(c)
        self.assertEqual(c.studies["structure.elements"]["value"].tolist(), [4, 8, 16])
        self.drawn(c, "page")

    def test_nonsmooth_modes(self):
        n = gallery("impact-chain", "n5.yaml").nsm(orbits_per_branch=20)
        self.both_ways(n)
        self.assertTrue(n.certified)
        self.assertEqual({len(b.omega) for b in n.branches}, {20})
        self.drawn(n, "page")
        full = gallery("impact-chain", "n5.yaml").nsm(orbit="1:1.5,1:1.55")
        self.both_ways(full)
        self.assertEqual([o.omega for o in full.orbits], [1.5, 1.55])
        one = full.orbits[0]
        stop = next(iter(one.points.values()))
        self.assertAlmostEqual(stop.u.max(), stop.u[0], 9)  # it begins at the stop
        self.assertAlmostEqual(one.t[-1], 2 * np.pi / 1.5, 12)
        for wrong in ("x", "1:9", "77/3", "s0"):
            self.assertRaises(jd.ModelError, lambda w=wrong: gallery("impact-chain", "n5.yaml").nsm(orbit=w))

    def test_every_verb_gives_the_bits_of_the_command(self):
        for verb, names, *sets in (("run", ("friction-beam", "rayleigh.yaml"), "simulate.until=9 periods"),
                                   ("orbit", ("friction-beam", "rayleigh.yaml")), ("modes", ("friction-beam", "rayleigh.yaml")),
                                   ("kernel", ("cantilever", "tip.yaml")), ("nsm", ("impact-chain", "n5.yaml"), "nsm.omega=[1.4, 1.7]"),
                                   ("sweep", ("impact-oscillator", "hysteresis.yaml"), "sweep.points=3"),
                                   ("follow", ("coulomb-oscillator", "response.yaml"), "follow.to=1.2", "follow.from=0.9")):
            with self.subTest(verb):
                path = os.path.join(case.GALLERY, *names)
                options = [word for one in sets for word in ("--set", one)]
                code, _, said = case.command(verb, path, "--force", "-o", self.file("c.h5"), "-q", *options)
                self.assertEqual(code, 0, said)
                theirs, mine = jd.open(self.file("c.h5")), getattr(jd.load(path, set=sets), verb)()
                self.assertEqual(theirs.kind, verb)
                self.assertIn("judder " + verb, theirs.command)
                self.assertIn("<table>", theirs._repr_html_())
                self.assertEqual(list(theirs.arrays), list(mine.arrays))
                self.assertGreaterEqual(len(mine.arrays), 3)
                if verb == "kernel":
                    self.assertTrue(np.array_equal(mine.G, theirs.G) and np.array_equal(mine.L1, theirs.L1, equal_nan=True))
                for name, a in mine.arrays.items():
                    b = theirs.arrays[name]
                    same = np.array_equal(a, b, equal_nan=a.dtype.kind == "f") if isinstance(a, np.ndarray) else a == b
                    self.assertTrue(same, name)


if __name__ == "__main__":
    case.main()
