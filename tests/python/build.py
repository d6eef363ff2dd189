"""build.py -- models by keywords: the same as from a file, saved and read back, changed by path."""
import json
import os
import tempfile
import unittest

import case
import judder as jd
import numpy as np


def beam():
    """The friction beam of the gallery by keywords."""
    m = jd.Model(units="SI", title="Beam with a friction device")
    m.body("", jd.structures.fe_beam(length=2.47, bending_stiffness=1.09e4, mass_per_length=35.4, elements=10,
                                     supports={"left": "clamped", "right": "free"}, points={"mid": 1.235, "tip": 2.47},
                                     damping=jd.dampings.rayleigh(mass=0.025, stiffness=5.5e-5)))
    m.contact("tip", at="tip", law=jd.coulomb(limit="0.66 N"))
    m.drive("shaker", at="mid", amplitude=2.4, frequency=jd.times(1.1, mode=1))
    return m.start("rest").section("output", per_period=200, points=["tip", "mid"])


class Build(unittest.TestCase):
    def same(self, a, b):
        self.assertEqual(a.events["t"].tolist(), b.events["t"].tolist())
        self.assertGreater(len(a.events), 0)

    def test_keywords_give_the_bits_of_the_file(self):
        self.same(beam().run(until="20 periods"), jd.load(case.BEAM).run(until="20 periods"))

    def test_keys_of_a_call_hold_for_that_call(self):
        m = jd.load(case.BEAM)
        short, samples = m.run(until="4 periods", samples=16), m.run(until="4 periods", per_period=16)
        self.assertEqual(len(short.t), 65)
        self.assertTrue((short.t == samples.t).all())
        self.assertEqual(m.get("simulate.until"), 100)
        with_unit = m.run(until=f"{short.t_end!r} s")  # read as a text
        self.same(short, with_unit)
        self.same(short, m.run(until=short.t_end))
        self.assertEqual(m.run(until="2 periods", points="tip").names, ["tip"])

    def test_numbers_by_path(self):
        m = jd.load(case.BEAM)
        self.assertEqual((m.get("contacts.tip.law.limit"), m.unit("contacts.tip.law.limit")), (0.66, "N"))
        self.assertIn("drives.shaker.amplitude", m.paths())
        m["contacts.tip.law.limit"] = 0.5
        self.assertEqual(m["contacts.tip.law.limit"], 0.5)
        m.set("contacts.tip.law.limit", "2 kN")
        self.assertEqual(m["contacts.tip.law.limit"], 2000)
        m.set({"contacts.tip.law.limit": 0.3, "drives.shaker.amplitude": "1 N"})
        self.assertEqual((m["contacts.tip.law.limit"], m["drives.shaker.amplitude"]), (0.3, 1))
        m.set("structure.damping", jd.dampings.ratio(0.01))
        m.set("contacts.tip.law", jd.stop(gap="1 mm", restitution=0.5))
        self.assertEqual(m["contacts.tip.law.gap"], 1e-3)
        with self.assertRaises(jd.ModelError) as caught:
            m.set("contacts.tip.law.limit", 1.0)
        self.assertEqual(caught.exception.name, "unknown-key")

    def test_laws_take_one_key_instead_of_another(self):
        def model():
            m = jd.Model(units="SI").body("", "chain", count=2, mass=1.0, stiffness=100.0, points={"a": 1, "b": 2}, damping=0.01)
            return m.section("simulate", until=1.0)
        for law in (jd.laws.stop(gap=0.1, stiffness=1e3), jd.stop(stiffness=1e3, preload=2.0), jd.stop(0.1, 0.5),
                    jd.stop(gap=0.1, restitution=0.5)):
            m = model().contact("pad", at="a", law=law)
            m.check()
            m.contact("rub", at="b", law=jd.coulomb(coefficient=0.3, normal="pad"))
            if "stiffness" in law:
                m.check()
                self.assertEqual(m["contacts.rub.law.coefficient"], 0.3)
        self.assertEqual(jd.laws.dry_contact(coefficient=0.3, normal_stiffness=1e3, preload=2.0)["preload"], 2.0)
        self.assertEqual(jd.coulomb(1.5), {"type": "coulomb", "limit": 1.5})
        self.assertIn("required, or preload", jd.laws.stop.__doc__)
        self.assertRaisesRegex(TypeError, "`gap` or `preload`", lambda: jd.laws.stop(restitution=0.5))
        self.assertRaisesRegex(TypeError, "`restitution` or `stiffness`", lambda: jd.laws.stop(gap=0.5))
        self.assertRaisesRegex(TypeError, "`limit` or `coefficient`", jd.coulomb)

    def test_numbers_may_be_set_before_the_model_is_whole(self):
        m = jd.Model(units="SI").set("simulate.until", 2.0)
        m.body("", "chain", count=1, mass=2.0, stiffness=800.0)
        self.assertEqual(m.run().t_end, 2.0)
        self.assertRaises(jd.ModelError, lambda: jd.Model().set("no.such", 1.0).body("", "chain", count=1, mass=2.0, stiffness=8.0).run())

    def test_a_set_of_one_call_is_undone(self):
        m = jd.load(case.BEAM)
        loud, usual = m.run(until="5 periods", set={"drives.shaker.amplitude": 5.0}), m.run(until="5 periods")
        self.assertEqual(m["drives.shaker.amplitude"], 2.4)
        self.assertNotEqual(loud.events["t"].tolist(), usual.events["t"].tolist())
        m.set("drives.shaker.amplitude", 5.0)
        self.same(loud, m.run(until="5 periods"))

    def test_saved_models_are_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "beam.yaml")
            m = beam().set("contacts.tip.law.limit", 0.1 + 0.2).section("simulate", until="15 periods")
            m.save(path)
            back = jd.load(path)
            self.assertEqual(back["contacts.tip.law.limit"], 0.1 + 0.2)
            self.assertTrue(back.si)
            self.same(m.run(), back.run())
            code, _, _ = case.command("check", path)
            self.assertEqual(code, 0)
            loaded = jd.load(case.BEAM)
            loaded.save(path)  # unchanged: with its comments
            with open(path, encoding="utf-8") as one, open(case.BEAM, encoding="utf-8") as other:
                self.assertEqual(one.read(), other.read())
            loaded.set("simulate.until", 7)  # a number keeps `periods`
            loaded.save(path)
            self.assertEqual(jd.load(path).get("simulate.until"), 7)
            self.assertEqual(jd.load(path).unit("simulate.until"), "periods")

    def test_files_that_a_model_names_are_found_from_another_folder(self):
        blade = os.path.join(case.GALLERY, "blade", "blade.yaml")
        with tempfile.TemporaryDirectory() as folder:
            m = jd.load(blade)
            m.set("simulate.until", "3 periods")
            path = os.path.join(folder, "blade.yaml")
            m.save(path)
            self.same(m.run(quiet=True), jd.load(path).run(quiet=True))

    def test_long_lists_stand_beside_the_text(self):
        t = np.linspace(0, 2, 4000)
        m = case.oscillator(jd, until=2.0)
        m.drive("shaker", at="mass", drive="table", time=t, value=20 * np.sin(15 * t))
        self.assertIn("@drives.shaker.time", m.text())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.yaml")
            m.save(path)
            self.same(m.run(), jd.load(path).run())
        t *= 0  # the model keeps numbers of its own
        self.assertEqual(m.copy().get("drives.shaker.time.4000"), 2)

    def test_a_model_of_one_s_own_units(self):
        m = jd.Model().body("", "chain", count=1, mass=1.0, stiffness=1.0, points={"a": 1})
        m.contact("a", at="a", law=jd.stop(gap=0.5, restitution=1.0)).start("state", displacement=[0.0], velocity=[1.0])
        r = m.run(until=5.0)
        self.assertFalse(m.si)
        self.assertAlmostEqual(r.events["t"][0], np.pi / 6, 14)
        with self.assertRaises(jd.ModelError) as caught:
            m.contact("a", at="a", law=jd.stop(gap="0.5 m", restitution=1.0)).check()
        self.assertEqual(caught.exception.name, "mixed-units")

    def test_docs_come_from_the_tables(self):
        self.assertIn("friction force while sliding", jd.coulomb.__doc__)
        self.assertIn("[N or N/m or N m; required, or coefficient]", jd.coulomb.__doc__)
        self.assertIn("stop after this many events", jd.Model.run.__doc__)
        self.assertEqual(jd.coulomb.__annotations__["limit"], "Optional[Number]")
        self.assertEqual(jd.soil.__annotations__["limit"], "Number")
        _, out, _ = case.command("list", "--json")
        for kind, here in {"structures": jd.structures, "drives": jd.drives, "starts": jd.starts,
                           "damping": jd.dampings}.items():
            for t in json.loads(out)[kind]:
                function = getattr(here, t["name"].replace("-", "_"))
                for key in t["keys"]:
                    name = key["key"].split(".")[0]
                    self.assertRegex(function.__doc__, rf"\b{name}_?:", t["name"])

    def test_words_and_pages(self):
        m = beam().section("simulate", until="5 periods")
        self.assertIn("friction contact at tip", m.check())
        self.assertIn("<svg", m._repr_html_())
        r = m.run()
        page = r._repr_html_()
        self.assertIn("<svg", page)
        self.assertIn("certificate", page)
        self.assertIn("proved", repr(r))
        self.assertIn("<table>", r.events._repr_html_())
        self.assertIn("residual", r.energy._repr_html_())
        self.assertIn("&lt;b&gt;", jd.Model(units="SI", title="<b>").body("", "chain", count=1, mass=1, stiffness=1).modes()._repr_html_())


if __name__ == "__main__":
    case.main()
