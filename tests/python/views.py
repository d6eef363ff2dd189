"""views.py -- arrays are views of C memory that keep their result alive; closed things are refused."""
import gc
import unittest

import case
import judder as jd
import numpy as np
from judder._library import address, ffi, lib


class Views(unittest.TestCase):
    def setUp(self):
        self.r = jd.load(case.BEAM).run(until="5 periods")

    def test_arrays_have_the_address_of_the_memory_in_C(self):
        pointer = self.r._handle.pointer
        seen = 0
        for i in range(lib.jd_result_arrays(pointer)):
            a = lib.jd_result_array(pointer, i)
            if a.type == lib.JD_ARRAY_TEXT or a.data == ffi.NULL:
                continue
            array = self.r.arrays[ffi.string(a.path).decode()]
            self.assertEqual(array.__array_interface__["data"][0], address(a.data))
            self.assertEqual(array.strides, tuple(a.stride[0:a.rank]))
            self.assertFalse(array.flags.writeable)
            self.assertFalse(array.flags.owndata)
            seen += 1
        self.assertGreater(seen, 15)
        self.assertEqual(self.r["tip"].u.__array_interface__["data"][0],
                         address(lib.jd_result_find(pointer, b"samples/tip.u").data))

    def test_an_array_keeps_its_result_alive(self):
        u = self.r["tip"].u
        before = u.copy()
        events = self.r.events["t"][3:7]
        times = events.copy()
        del self.r
        gc.collect()
        for _ in range(20):  # memory that was freed would be used again
            jd.load(case.BEAM, set={"contacts.tip.law.limit": "0.1 N"}).run(until="5 periods")
        self.assertTrue((u == before).all())
        self.assertTrue((events == times).all())

    def test_arrays_live_on_when_a_result_is_closed(self):
        u = self.r["tip"].u
        before = u.copy()
        self.r.close()
        self.r.close()
        gc.collect()
        self.assertTrue((u == before).all())
        for use in (lambda: self.r.t, lambda: self.r.title, lambda: self.r.save("never.h5"), lambda: self.r.events):
            self.assertRaises(jd.ClosedError, use)
        self.assertIn("closed", repr(self.r))
        self.assertIn("closed", self.r._repr_html_())

    def test_a_closed_model_is_refused_and_its_results_live_on(self):
        m = jd.load(case.BEAM)
        r = m.run(until="3 periods")
        m.close()
        for use in (m.run, m.check, lambda: m.get("contacts.tip.law.limit"), lambda: m.set("contacts.tip.law.limit", 1),
                    m.copy, m.paths, lambda: m.drive("more", at="tip", amplitude=1, frequency=1)):
            self.assertRaises(jd.ClosedError, use)
        del m
        gc.collect()
        self.assertEqual(r.stop, "end")
        self.assertGreater(len(r.events), 0)

    def test_things_in_a_cycle_are_freed_in_order(self):
        for _ in range(30):
            m = jd.load(case.BEAM)
            r = m.run(until="1 periods")
            r.mine, m.mine = m, r
            del m, r
        gc.collect()

    def test_a_result_does_not_change_when_the_model_does(self):
        m = jd.load(case.BEAM)
        first = m.run(until="5 periods")
        t = first.events["t"].copy()
        m.set("contacts.tip.law.limit", 0.1)
        m.set("structure.elements", 6)
        second = m.run(until="5 periods")
        self.assertTrue((first.events["t"] == t).all())
        self.assertFalse(len(second.events) == len(t) and (second.events["t"] == t).all())

    def test_multipliers_are_views_too(self):
        o = jd.load(case.BEAM).orbit()
        self.assertEqual(o.multipliers.__array_interface__["data"][0], o.arrays["multipliers"].__array_interface__["data"][0])
        self.assertEqual(o.multipliers.dtype, np.complex128)


if __name__ == "__main__":
    case.main()
