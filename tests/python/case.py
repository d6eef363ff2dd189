"""case.py -- what the tests of the Python package share: places, the command, a small model."""
import os
import subprocess
import sys
import unittest

SOURCE = os.environ.get("JD_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
COMMAND = os.environ.get("JD_COMMAND", os.path.join(SOURCE, "build", "release", "judder"))
GALLERY = os.path.join(SOURCE, "gallery")
BEAM = os.path.join(GALLERY, "friction-beam", "rayleigh.yaml")


def command(*words):
    """Runs the command; what it printed."""
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def oscillator(jd, **keys):
    """One mass on a spring, rubbing and shaken."""
    m = jd.Model(units="SI", title="one mass")
    m.body("", "chain", count=1, mass=2.0, stiffness=800.0, points={"mass": 1}, damping=0.01)
    m.contact("rub", at="mass", law=jd.coulomb(limit=keys.pop("limit", 1.5)))
    m.drive("shaker", at="mass", amplitude=3.0, frequency=jd.times(0.9, mode=1))
    return m.section("simulate", until=keys.pop("until", "20 periods"))


def main():
    """Runs the tests of the file that calls it."""
    sys.dont_write_bytecode = True
    unittest.main(verbosity=1)
