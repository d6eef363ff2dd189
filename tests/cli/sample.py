"""sample.py -- ensembles: draws are those of their methods, statistics those of the points; shards and threads change nothing.

    sample.py JUDDER

References: scipy's Sobol sequence and distributions, numpy's quantiles; single runs of `judder sweep` for the points themselves.
"""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy import stats
from scipy.io import loadmat
from scipy.stats import qmc

JUDDER = os.path.abspath(sys.argv[1])
MODEL = """judder: 1
structure: {type: chain, count: 2, mass: 1, stiffness: 100, damping: {type: ratio, value: 0.03},
  supports: {left: fixed, right: free}, points: {tip: {node: 2}}}
contacts: {rub: {at: tip, law: {type: coulomb, limit: 0.3}}}
drives: {shake: {at: tip, type: harmonic, amplitude: 1, frequency: 5}}
start: rest
sweep: {samples: 2, %s}
"""
failed = 0


def check(claim, holds):
    """Notes a claim that does not hold."""
    global failed
    if not holds:
        failed += 1
        print("does not hold:", claim)


def call(text, *options, code=0):
    """The JSON of a sweep of the model with this section."""
    with open("m.yaml", "w") as file:
        file.write(MODEL % text)
    done = subprocess.run([JUDDER, "sweep", "m.yaml", "--json", *options], capture_output=True, text=True, timeout=300)
    if done.returncode != code:
        print(text, options, done.returncode, done.stdout[:500], done.stderr[:500])
    check("exit code %d: %s" % (code, text), done.returncode == code)
    return json.loads(done.stdout)


def drawn(found, path):
    """Values of a number in each draw, which every point repeats."""
    sample = found["sample"]
    column = [row[sample["parameters"].index(path)] for row in sample["values"]]
    for point in found["points"]:
        check("the point holds its draw", point[path] == column[int(point["sample"]) - 1])
    return np.array(column)


def digits(path_values, low, high):
    """The 32 digits of uniform draws."""
    return np.round((path_values - low) / (high - low) * 2.0**32 - 0.5).astype(np.int64)


LIMIT, AMPLITUDE, STIFFNESS = "contacts.rub.law.limit", "drives.shake.amplitude", "structure.stiffness"


def sobol_is_scipys():
    """21 dimensions, against the same sequence of scipy; a random shift per dimension is taken out."""
    paths = {}
    for k in range(21):
        paths["structure.mass" if k == 20 else "drives.d%d.amplitude" % k] = "{uniform: [1, 2]}"
    drives = "".join("d%d: {at: tip, type: harmonic, amplitude: 1, frequency: 5}, " % k for k in range(20))
    text = MODEL.replace("drives: {", "drives: {" + drives)
    inside = ", ".join("%s: %s" % item for item in paths.items())
    with open("m.yaml", "w") as file:
        file.write(text % ("sample: {points: 64, seed: 5, parameters: {%s}}" % inside))
    # only the draws are looked at: a shard without points computes nothing
    subprocess.run([JUDDER, "sweep", "m.yaml", "-q", "--shard", "1000/1000", "-o", "draws.h5"], check=True, timeout=300)
    import h5py
    with h5py.File("draws.h5") as file:
        values = file["sample/values"][:]
        names = [name.decode() for name in file["sample/parameters"][:]]
    check("21 numbers are drawn", values.shape == (64, 21) and names == list(paths))
    expected = qmc.Sobol(21, scramble=False, bits=32).random(64)
    for k in range(21):
        own = digits(values[:, k], 1.0, 2.0)
        want = np.round(expected[:, k] * 2.0**32).astype(np.int64)
        close = np.abs(((own ^ own[0]) >> 8) - (want >> 8)) <= 1  # uniform: [1, 2] leaves 52 - 32 digits, fewer after rounding
        check("dimension %d is that of Joe and Kuo" % (k + 1), bool(close.all()))


def distributions():
    """Quantiles of 1024 draws are those of the distribution; draws of a Latin hypercube fill every slice."""
    n = 1024
    for method in "sobol", "latin-hypercube", "random":
        found = call("sample: {method: %s, points: %d, seed: 3, parameters: {%s: {uniform: [0.2, 1]}, %s: {normal: [1, 0.1]}, "
                     "%s: {lognormal: [100, 0.2]}}}"
                     % (method, n, LIMIT, AMPLITUDE, STIFFNESS), "--shard", "5000/5000")
        values = np.array(found["sample"]["values"])
        laws = stats.uniform(0.2, 0.8), stats.norm(1, 0.1), stats.lognorm(0.2, scale=100)
        for k, law in enumerate(laws):
            u = law.cdf(values[:, k])
            slices = np.bincount(np.minimum((u * n).astype(int), n - 1), minlength=n)
            if method == "random":
                check("random draws pass Kolmogorov and Smirnov", stats.kstest(u, "uniform").pvalue > 1e-4)
                check("random draws are not even", slices.max() > 1)
            elif method == "latin-hypercube":
                check("one draw in each slice", (slices == 1).all())
            else:
                check("Sobol: eight draws in each 128th", (np.bincount((u * 128).astype(int)) == 8).all())
        pair = np.corrcoef(laws[0].cdf(values[:, 0]), laws[1].cdf(values[:, 1]))[0, 1]
        check("two numbers are drawn apart", abs(pair) < 0.12)
    again = call("sample: {points: 8, seed: 3, parameters: {%s: {uniform: [0.2, 1]}}}" % LIMIT, "--shard", "999/999")
    other = call("sample: {points: 8, seed: 4, parameters: {%s: {uniform: [0.2, 1]}}}" % LIMIT, "--shard", "999/999")
    check("another seed, other draws", again["sample"] != other["sample"])


def normal_quantiles_are_right():
    """z to 1e-13 over the whole range of draws, by scipy's."""
    found = call("sample: {points: 4096, seed: 9, parameters: {%s: {uniform: [0.5, 1.5]}, %s: {normal: [100, 1]}}}"
                 % (LIMIT, STIFFNESS), "--shard", "9000/9000")
    z = np.array(found["sample"]["values"])[:, 1] - 100
    u = stats.norm.cdf(z)
    x = np.round(u * 2.0**32 - 0.5) + 0.5
    check("normal draws", np.max(np.abs(stats.norm.ppf(x * 2.0**-32) - z)) < 3e-13)  # of 100 one rounding is 1.4e-14


def points_are_single_sweeps():
    """A point of a sample is the settled motion of the model with those numbers, also where the structure is built again."""
    found = call("sample: {points: 5, parameters: {%s: {uniform: [0.1, 0.6]}, %s: {normal: [100, 5]}}}" % (LIMIT, STIFFNESS))
    limits, stiffness = drawn(found, LIMIT), drawn(found, STIFFNESS)
    for i in range(5):
        one = call("parameters: drives.shake.frequency, from: 5, to: 5, points: 1", "--set", "%s=%r" % (LIMIT, float(limits[i])),
                   "--set", "%s=%r" % (STIFFNESS, float(stiffness[i])))["points"][0]
        check("draw %d" % i, all(one[key] == found["points"][i][key] for key in ("amplitude", "phases", "multiplier")))


def statistics_are_those_of_the_points():
    """Mean, deviation, quantiles and shares, alone and over a swept parameter, by numpy."""
    draws = "sample: {points: 40, parameters: {%s: {uniform: [0.05, 1.4]}, %s: {lognormal: [1, 0.2]}}}" % (LIMIT, AMPLITUDE)
    for text in draws, draws + ", parameters: drives.shake.frequency, from: 3, to: 8, points: 4":
        found = call(text)
        rows = {}
        for point in found["points"]:
            rows.setdefault(point.get("drives.shake.frequency"), []).append(point)
        check("a row of statistics for each value", [s.get("drives.shake.frequency") for s in found["statistics"]] == list(rows))
        for said, points in zip(found["statistics"], rows.values()):
            x = np.array([p["amplitude"] for p in points if p["settled"]])
            check("counts", said["points"] == len(points) and said["settled"] == len(x))
            inside = [p for p in points if p["settled"] and p["multiplier"] is not None and p["multiplier"] < 1]
            check("stable", said["stable"] == len(inside))
            check("mean", math.isclose(said["mean"], x.mean(), rel_tol=1e-12))
            check("deviation", math.isclose(said["deviation"], x.std(ddof=1), rel_tol=1e-10))
            for key, level in ("q05", 5), ("q25", 25), ("median", 50), ("q75", 75), ("q95", 95):
                check(key, math.isclose(said[key], np.percentile(x, level), rel_tol=1e-12, abs_tol=1e-300))
        phases = {}
        for point in found["points"]:
            if point["settled"]:
                text = point["phases"]
                turned = sorted((text[i:] + text[:i] for i in range(len(text))), key=lambda t: (-ord(t[0]), t))[0]
                phases[turned] = phases.get(turned, 0) + 1
        check("phase sequences", {s["phases"]: s["count"] for s in found["sequences"]} == phases)
        check("several of them", len(phases) > 1)
        check("their shares", all(math.isclose(s["share"], s["count"] / len(found["points"])) for s in found["sequences"]))
        check("begun at another phase they are the same", len(phases) < len(set(p["phases"] for p in found["points"])))
        check("by falling share", [s["count"] for s in found["sequences"]] == sorted(phases.values(), reverse=True))


def nothing_depends_on_who_computes():
    """Threads, shards, and the file read back."""
    text = ("sample: {points: 12, method: latin-hypercube, parameters: {%s: {uniform: [0.1, 1]}}}, "
            "parameters: drives.shake.frequency, from: 3, to: 8, points: 3" % LIMIT)
    whole = call(text)
    one = call(text, "--threads", "1")
    whole.pop("cpu_seconds"), one.pop("cpu_seconds")
    check("threads", one == whole)
    for k in 1, 2, 3:
        subprocess.run([JUDDER, "sweep", "m.yaml", "-q", "--shard", "%d/3" % k, "-o", "s%d.h5" % k], check=True, timeout=300)
    files = "s2.h5", "s3.h5", "s1.h5"
    done = subprocess.run([JUDDER, "merge", *files, "--json", "-o", "all.h5"], capture_output=True, check=True, timeout=300)
    merged = json.loads(done.stdout)
    check("shards", merged == whole)
    subprocess.run([JUDDER, "plot", "all.h5", "-o", "bands.csv", "-q"], check=True, timeout=300)
    with open("bands.csv") as file:
        check("bands of quantiles are drawn", any("25 to 75 %" in cell for row in csv.reader(file) for cell in row))


def basins():
    """Two stable orbits beside each other: starts are told apart as --starts and single sweeps tell them."""
    model = """judder: 1
structure: {type: chain, count: 1, mass: 1, stiffness: 1, damping: {type: ratio, value: 0.02},
  supports: {left: fixed, right: free}, points: {m: {node: 1}}}
contacts: {stop: {at: m, law: {type: stop, gap: 1, restitution: 0.8}}}
drives: {push: {at: m, type: harmonic, amplitude: 0.5, frequency: 2.6}}
start: {type: state, displacement: [0.1], velocity: [0.1]}
sweep: {parameters: [start.displacement.1, start.velocity.1], from: [-2, -2], to: [0.9, 2], points: [12, 10], samples: 4}
"""
    with open("b.yaml", "w") as file:
        file.write(model)
    done = subprocess.run([JUDDER, "sweep", "b.yaml", "--json", "-o", "b.h5"], capture_output=True, text=True, timeout=300)
    check("basins: " + done.stdout[:300], done.returncode == 0)
    if done.returncode != 0:
        return
    found = json.loads(done.stdout)
    groups = {}
    for point in found["points"]:
        check("settled motions have a number", (point["attractor"] > 0) == point["settled"])
        if point["settled"]:
            groups.setdefault(point["attractor"], []).append(point)
    check("several attractors", found["attractors"] == len(groups) and len(groups) >= 2)
    size = max(abs(p["amplitude"]) for p in found["points"])
    for number, points in groups.items():
        for p in points:
            near = abs(p["amplitude"] - points[0]["amplitude"]) < 1e-5 * size
            check("one attractor is one motion", near and p["periods"] == points[0]["periods"])
    for k in 1, 2:
        subprocess.run([JUDDER, "sweep", "b.yaml", "-q", "--shard", "%d/2" % k, "-o", "b%d.h5" % k], check=True, timeout=300)
    done = subprocess.run([JUDDER, "merge", "b2.h5", "b1.h5", "--json"], capture_output=True, check=True, timeout=300)
    merged = json.loads(done.stdout)
    found.pop("cpu_seconds")
    check("basins in shards", merged == found)


def misuse():
    """Refused by name, before anything is computed."""
    good = "%s: {uniform: [0.2, 1]}" % LIMIT
    for text, name, words in (
            ("sample: {points: 4, parameters: {%s: {uniform: [-1, 1]}}}" % LIMIT, "out-of-range", "limit"),
            ("sample: {points: 4, parameters: {%s: {uniform: [1, 0.2]}}}" % LIMIT, "out-of-range", "the smaller one"),
            ("sample: {points: 4000, parameters: {%s: {normal: [0.1, 0.2]}}}" % LIMIT, "out-of-range", "limit"),
            ("sample: {points: 4, parameters: {%s: {normal: [1, -0.1]}}}" % LIMIT, "out-of-range", "deviation"),
            ("sample: {points: 4, parameters: {%s: {normal: [1, 0]}}}" % LIMIT, "out-of-range", "deviation"),
            ("sample: {points: 4, parameters: {%s: {lognormal: [-1, 0.1]}}}" % LIMIT, "out-of-range", "median"),
            ("sample: {points: 4, parameters: {%s: {lognormal: [1, 0.1, 2]}}}" % LIMIT, "wrong-type", "lognormal"),
            ("sample: {points: 4, parameters: {%s: {gauss: [1, 0.1]}}}" % LIMIT, "unknown-key", "gauss"),
            ("sample: {points: 4, parameters: {%s: 3}}" % LIMIT, "wrong-type", "uniform"),
            ("sample: {points: 4, parameters: [a]}", "wrong-type", "distributions"),
            ("sample: {points: 4, parameters: {contacts.rub.law.limt: {uniform: [1, 2]}}}", "unknown-key", "did you mean"),
            ("sample: {points: 4, parameters: {structure.count: {uniform: [1, 3]}}}", "out-of-range", "whole number"),
            ("sample: {points: 4}", "missing-key", "names no numbers"),
            ("sample: {parameters: {%s}}" % good, "missing-key", "points"),
            ("sample: {points: 4, method: halton, parameters: {%s}}" % good, "unknown-name", "sobol"),
            ("sample: {points: 0.5, parameters: {%s}}" % good, "out-of-range", "whole"),
            ("sample: {points: 4, parameters: {%s}}, direction: up" % good, "not-supported", "direction"),
            ("sample: {points: 4, parameters: {%s}}, starts: 3" % good, "not-supported", "starts"),
            ("sample: {points: 4, parameters: {%s}}, parameters: %s, from: 1, to: 2, points: 2" % (good, LIMIT),
             "duplicate-name", "both drawn and swept"),
            ("sample: {points: 4, parameters: {%s}}, parameters: [%s, %s], from: [1, 1], to: [2, 2], points: [2, 2]"
             % (good, AMPLITUDE, STIFFNESS), "size-mismatch", "only one is swept"),
            ("from: 1, to: 2, points: 3", "missing-key", "parameters")):
        error = call(text, "-o", "x.h5", code=2).get("error", {})
        said = json.dumps(error)
        check("%s: %s for %s: %s" % (name, words, text, said), error.get("name") == name and words in said)
    check("nothing is written", not os.path.exists("x.h5") and not os.path.exists("x.h5.journal"))


GRID = "parameters: [%s, %s], from: [0.2, 0.5], to: [0.6, 2], points: [%%d, %%d]" % (LIMIT, AMPLITUDE)


def matlab_has_the_parameters():
    """A .mat of a sweep, and of merged shards, has the swept values, at each point too, phases and measure."""
    told = call(GRID % (4, 3), "-o", "grid.mat")
    names = []
    for k in (1, 2):
        names.append("part%d.h5" % k)
        call(GRID % (4, 3), "--shard", "%d/2" % k, "-o", names[-1])
    done = subprocess.run([JUDDER, "merge", *names, "-q", "-o", "merged.mat"], capture_output=True, text=True, timeout=300)
    check("merge into .mat: " + done.stderr, done.returncode == 0)
    for file in ("grid.mat", "merged.mat"):
        mat = loadmat(file)
        for path in (LIMIT, AMPLITUDE):
            name = path.replace(".", "_")
            check("%s: points_%s" % (file, name), mat["points_" + name].ravel().tolist() == [p[path] for p in told["points"]])
            check("%s: grid_%s" % (file, name), mat["grid_" + name].ravel().tolist() == told["grid"][path])
        check(file + ": phases", [t.strip() for t in mat["points_phases"]] == [p["phases"] for p in told["points"]])
        check(file + ": samples", mat["points_samples"].tolist() == [p["samples"] for p in told["points"]])
        check(file + ": measure", mat["measure"][0].strip() == told["measure"])


def memory_of_a_point_is_small():
    """Ten thousand points more take less than 1000 bytes each, file included: a million stay below 1 GB (measured 660 to 880)."""
    if b"__asan_init" in open(JUDDER, "rb").read():
        return  # a sanitizer has shadows of its own
    most = []
    for side in (40, 110):
        with open("m.yaml", "w") as file:
            file.write(MODEL % (GRID % (side, side)))
        pid = os.posix_spawn(JUDDER, [JUDDER, "sweep", "m.yaml", "-q", "--threads", "2", "-o", "memory%d.h5" % side], os.environ)
        _, status, usage = os.wait4(pid, 0)
        check("sweep of %d x %d" % (side, side), status == 0)
        most.append(1024 * usage.ru_maxrss)
    check("bytes of a point: %g" % ((most[1] - most[0]) / (110 ** 2 - 40 ** 2)), most[1] - most[0] < 1000 * (110 ** 2 - 40 ** 2))


def check_says_so():
    """`judder check` tells what is drawn."""
    with open("m.yaml", "w") as file:
        file.write(MODEL % ("sample: {points: 7, parameters: {%s: {uniform: [0.2, 1]}}}" % LIMIT))
    said = subprocess.run([JUDDER, "check", "m.yaml"], capture_output=True, text=True, timeout=300).stdout
    check("check: " + said, "7 draws of 1 number at random" in said)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for claim in (sobol_is_scipys, distributions, normal_quantiles_are_right, points_are_single_sweeps, statistics_are_those_of_the_points,
                  nothing_depends_on_who_computes, basins, check_says_so, misuse, matlab_has_the_parameters,
                  memory_of_a_point_is_small):
        claim()
    os.chdir("/")
print("%d claims do not hold" % failed if failed else "ensembles are what they say")
sys.exit(failed > 0)
