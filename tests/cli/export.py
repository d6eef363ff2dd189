"""export.py -- results as MATLAB and universal files: the numbers are those of JSON, and modes can be read back."""
import json
import os
import struct
import subprocess
import sys
import tempfile

judder, gallery = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
BLADE = os.path.join(gallery, "blade", "blade.yaml")
CHAIN = """judder: 1
bodies:
  a: {type: chain, count: 3, mass: 1, stiffness: 4, points: {end: {node: 3}}, damping: {type: ratio, value: 0.01}}
  b: {type: chain, count: 2, mass: 2, stiffness: 3, points: {end: {node: 2}}, damping: {type: ratio, value: 0.02}}
contacts: {rub: {at: a.end, against: ground, law: {type: coulomb, limit: 0.3}}}
drives: {d: {at: a.end, type: harmonic, amplitude: 1, frequency: 1}}
simulate: {until: 20}
output: {every: 0.125, points: [a.end, b.end]}
"""


def call(*words, code=0):
    force = ["--force"] if "-o" in words else []
    done = subprocess.run([judder, *words, *force], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def parts(data):
    """Elements of a MATLAB file of version 5: type and bytes, each filled up to 8."""
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        yield kind, data[at + 8:at + 8 + size]
        at += 8 + (size + 7) // 8 * 8
    assert at == len(data), "the last element ends with the file"


def mat(path):
    data = open(path, "rb").read()
    assert data[124:128] == b"\x00\x01IM" and data.startswith(b"MATLAB 5.0 MAT-file")
    out = {}
    for kind, body in parts(data[128:]):
        assert kind == 14
        (_, flags), (_, sizes), (_, name), (form, values) = parts(body)
        size = struct.unpack(f"<{len(sizes) // 4}i", sizes)
        count = 1
        for s in size:
            count *= s
        name = name.decode("ascii")
        assert name not in out and name.replace("_", "a").isalnum() and len(name) <= 63, name
        if flags[0] == 4:
            text = values.decode("utf-16-le")
            assert len(text) == count
            out[name] = ["".join(text[i::size[0]]).rstrip() for i in range(size[0])]
        else:
            assert flags[0] == 6 and form == 9
            out[name] = (size, struct.unpack(f"<{count}d", values))
    return out


def runs():
    with open("m.yaml", "w") as f:
        f.write(CHAIN)
    call("run", "m.yaml", "-o", "r.mat")
    call("run", "m.yaml", "-o", "r.uff")
    tree = json.loads(call("run", "m.yaml", "--json", "-q"))
    m = mat("r.mat")
    for column, values in tree["samples"].items():
        size, numbers = m["samples_" + column.replace(".", "_")]
        assert size == (len(values), 1) and list(numbers) == values, column
    assert list(m["event_list_t"][1]) == [e["t"] for e in tree["event_list"]] and not any(m["event_list_contact"][1])
    sets = [s.splitlines() for s in open("r.uff").read().split("    -1\n    58\n")[1:]]
    names = [c for c in tree["samples"] if c != "t"]
    assert [s[0] for s in sets] == names
    nodes = {}
    for name, s in zip(names, sets):
        assert s[-1] == "    -1" and s[5][:5] == "    1" and len(s[5]) == 80
        nodes.setdefault(name.rsplit(".", 1)[0], set()).add(int(s[5][41:51]))
        count, step = int(s[6][10:20]), float(s[6][43:56])
        assert int(s[6][:10]) == 4 and count == len(tree["samples"]["t"]) and step == 0.125
        assert int(s[8][:10]) == {"u": 8, "v": 11, "e": 9}[name[-1]]
        values = [float(line[i:i + 20]) for line in s[11:-1] for i in range(0, len(line), 20)]
        assert len(values) == count
        assert all(abs(a - b) <= 1e-12 * abs(b) + 1e-99 for a, b in zip(values, tree["samples"][name])), name
    assert all(len(n) == 1 for n in nodes.values()) and len({min(n) for n in nodes.values()}) == len(nodes), nodes


def orbits():
    call("orbit", BLADE, "-o", "o.mat")
    tree = json.loads(call("orbit", BLADE, "--json", "-q"))
    m = mat("o.mat")
    size, numbers = m["multipliers"]
    n = len(tree["multipliers"])
    assert size == (n, 2) and list(numbers) == [x[0] for x in tree["multipliers"]] + [x[1] for x in tree["multipliers"]]


def modes():
    call("modes", BLADE, "-o", "m.mat")
    tree = json.loads(call("modes", BLADE, "--json", "-q"))
    m = mat("m.mat")
    assert list(m["modes_omega"][1]) == [k["omega"] for k in tree["modes"]]
    assert list(m["points_tip_value"][1]) == tree["points"]["tip"]["value"]
    assert "modes_0_pole" not in m and m["modes_pole"][0] == (len(tree["modes"]), 2, 2)
    # Through a universal file and back: six digits.
    call("modes", BLADE, "-o", "m.uff")
    with open("back.yaml", "w") as f:
        points = "{tip: {node: 49, dof: z}, mid: {near: [0.25 m, 0 m, 0 m], dof: z}}"
        f.write("judder: 1\nstructure: {type: modes, file: m.uff, points: " + points + "}\n")
    back = json.loads(call("modes", "back.yaml", "--json", "-q"))
    assert len(back["modes"]) == len(tree["modes"])
    for point in ("tip", "mid"):
        largest = max(abs(x) for x in tree["points"][point]["value"])
        shapes = back["points"][point]["value"], tree["points"][point]["value"]
        for a, b, k, l in zip(*shapes, back["modes"], tree["modes"]):
            for key in ("omega", "damping_ratio"):
                assert abs(k[key] - l[key]) <= 6e-6 * l[key], (key, k[key], l[key])
            assert abs(a - b) <= 6e-6 * largest, (point, a, b)
    # Modes of two bodies: a point moves in those of its own alone, and the shapes are orthogonal.
    with open("m.yaml", "w") as f:
        f.write(CHAIN)
    points = json.loads(call("modes", "m.yaml", "--json", "-q"))["points"]
    a, b = points["a.end"]["value"], points["b.end"]["value"]
    assert len(a) == 5 and a[3:] == [0, 0] and b[:3] == [0, 0, 0]
    assert abs(sum(x * x for x in a) - 1) < 1e-12 and abs(sum(x * x for x in b) - 0.5) < 1e-12


def pictures():
    """shape3d: of four bricks in a row the nine faces that look at us have 24 edges, and the file draws what the model draws."""
    call("modes", BLADE, "-q", "-o", "m.h5", "--picture", "shape3d", "--plot", "a.csv")
    call("plot", "m.h5", "--picture", "shape3d", "--csv", "b.csv")
    rows = [line.split(",") for line in open("a.csv").read().splitlines()]
    assert open("a.csv").read() == open("b.csv").read()
    head, x = rows[0], rows[0].index("x")
    first = [r for r in rows[1:] if r[0] == rows[1][0] and r[head.index("series")] == rows[1][head.index("series")]]
    ends = [(float(r[x]), float(r[x + 1])) for r in first if r[x] not in ("", "nan", "NaN")]
    assert len(ends) >= 96  # at rest, then moved
    ends = ends[:48]
    edges = {tuple(sorted(ends[i:i + 2])) for i in range(0, 48, 2)}
    assert len(edges) == 24 and len({p for e in edges for p in e}) == 16
    with open("m.yaml", "w") as f:
        f.write("judder: 1\nstructure: {type: modes, omega: [1, 2], shapes: {tip: [1, 1]}}\nsimulate: {until: 1}\n")
    assert "need a `mesh`" in call("modes", "m.yaml", "--picture", "shape3d", "--plot", "no.csv", code=2)


def refusals():
    """What cannot be written is refused by name, and nothing is written."""
    with open("m.yaml", "w") as f:
        f.write(CHAIN.replace("output: {every: 0.125, points: [a.end, b.end]}\n", ""))
    assert "64 a drive period" in call("run", "m.yaml", "-o", "some.uff")
    beam = os.path.join(gallery, "friction-beam", "rayleigh.yaml")
    assert "no samples for a universal file" in call("kernel", beam, "-o", "no.uff", code=2)
    assert "nothing to be shown in space" in call("backbone", "m.yaml", "-o", "no.pvd", code=2)
    assert "several orbits" in call("orbit", "m.yaml", "--starts", "3", "-o", "no.vtu", code=2)
    assert not [f for f in os.listdir(".") if f.startswith("no.")]


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    runs()
    orbits()
    modes()
    pictures()
    refusals()
    os.chdir("/")
