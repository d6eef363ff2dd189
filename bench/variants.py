"""variants.py -- 500 variants of the friction beam in Python beside the same loop in C, and the time an import takes.

    PYTHONPATH=build/release/python python3 bench/variants.py build/bench/variants

Processor time, the best of three, in turn. At most 1.3 times that of C; the import in less than 0.3 s.
"""
import os
import subprocess
import sys
import time

MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gallery", "friction-beam", "rayleigh.yaml")
VARIANTS, REPEATS, ALLOWED, IMPORT = 500, 3, 1.3, 0.3


def variants():
    """The loop in Python: its processor time and the number of events."""
    import judder as jd
    m = jd.load(MODEL, set=["simulate.until=20 periods"])
    begin, events = time.process_time(), 0
    for i in range(VARIANTS):
        m.set("contacts.tip.law.limit", 0.3 + 0.002 * i)
        events += len(m.run().events)
    print(f"{time.process_time() - begin:.6f} {events}")


def main(program):
    """Both in turn."""
    best, found = {}, set()
    for _ in range(REPEATS):
        for name, command in (("C", [program]), ("Python", [sys.executable, __file__])):
            seconds, events = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
            best[name] = min(best.get(name, 1e9), float(seconds))
            found.add(events)
    code = "import time; t = time.process_time(); import judder; print(time.process_time() - t)"
    taken = min(float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
                for _ in range(REPEATS))
    ratio = best["Python"] / best["C"]
    met = len(found) == 1 and ratio <= ALLOWED, taken < IMPORT
    word = ("MISSED", "met")
    print(f"\n{VARIANTS} variants of the beam: {best['C']:.2f} s in C, {best['Python']:.2f} s in Python, ratio {ratio:.3f} of "
          f"{ALLOWED} allowed  {word[met[0]]}\nimport judder: {taken:.2f} s of {IMPORT} s allowed  {word[met[1]]}")
    sys.exit(not all(met))


if __name__ == "__main__":
    main(sys.argv[1]) if len(sys.argv) > 1 else variants()
