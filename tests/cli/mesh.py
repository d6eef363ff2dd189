"""mesh.py -- series for ParaView: well-formed XML whose numbers, decoded, are those of samples and closed forms."""
import base64
import csv
import math
import os
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

judder, gallery = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FORMS = {"Float64": ("d", 8), "Int32": ("i", 4), "UInt8": ("B", 1)}


def call(*words, code=0):
    force = ["--force"] if "-o" in words else []
    done = subprocess.run([judder, *words, *force], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def array(element):
    """The numbers of a DataArray: base64 of the count of bytes and the bytes."""
    form, size = FORMS[element.get("type")]
    data = base64.b64decode(element.text, validate=True)
    (count,) = struct.unpack("<Q", data[:8])
    assert count == len(data) - 8, "the count of bytes is that of the bytes"
    return struct.unpack(f"<{count // size}{form}", data[8:])


def grid(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == "VTKFile" and root.get("type") == "UnstructuredGrid"
    assert root.get("header_type") == "UInt64" and root.get("byte_order") == "LittleEndian"
    piece = root.find("UnstructuredGrid/Piece")
    n, cells = int(piece.get("NumberOfPoints")), int(piece.get("NumberOfCells"))
    out = {a.get("Name"): array(a) for a in piece.iter("DataArray")}  # of the piece: times are text
    assert len(out["Points"]) == 3 * n and len(out["types"]) == len(out["offsets"]) == cells
    assert out["offsets"][-1] == len(out["connectivity"]) and max(out["connectivity"]) < n
    for a in piece.find("PointData"):
        assert len(out[a.get("Name")]) == n * int(a.get("NumberOfComponents"))
    out["n"] = n
    out["time"] = float(root.find("UnstructuredGrid/FieldData/DataArray").text)
    return out


def table(path):
    """Rows of a CSV file by the names of their columns, without units."""
    with open(path, newline="") as file:
        return [{name.split(" [")[0]: value for name, value in row.items()} for row in csv.DictReader(file)]


def series(path):
    root = ElementTree.parse(path).getroot()
    assert root.get("type") == "Collection"
    folder = os.path.dirname(path)
    return [(float(d.get("timestep")), os.path.join(folder, d.get("file"))) for d in root.iter("DataSet")]


MODEL = """judder: 1
structure: {type: STRUCTURE, points: {tip: PLACE}, damping: {type: ratio, value: 0.01}}
contacts: {c: {at: tip, against: ground, law: {type: coulomb, limit: 0.05}}}
drives: {d: {at: tip, type: harmonic, amplitude: 1, frequency: 3}}
simulate: {until: 4}
output: {every: 0.25, points: [tip]}
"""
CASES = [("beam, length: 1, bending_stiffness: 1, mass_per_length: 1, modes: 6", "1", 120, 2),
         ("string, length: 2, tension: 1, mass_per_length: 1, modes: 9, supports: {left: fixed, right: free}", "2", 120, 2),
         ("fe-rod, length: 1, axial_stiffness: 1, mass_per_length: 1, elements: 5", "1", 120, 0),
         ("chain, count: 4, mass: 1, stiffness: 2", "{node: 4}", 3, 0),
         ("chain, count: 1, mass: 1, stiffness: 2", "{node: 1}", 0, 0)]


def runs():
    for structure, place, point, component in CASES:
        with open("m.yaml", "w") as f:
            f.write(MODEL.replace("STRUCTURE", structure).replace("PLACE", place))
        os.makedirs("a <b>&", exist_ok=True)
        call("run", "m.yaml", "-o", "a <b>&/run.pvd", "--csv", "s.csv")
        rows = table("s.csv")
        frames = series("a <b>&/run.pvd")
        assert len(frames) == len(rows) == 17, (len(frames), len(rows))
        states = set()
        for (t, path), row in zip(frames, rows):
            g = grid(path)
            assert abs(t - float(row["t"])) < 1e-12
            for name, column in (("displacement", "tip.u"), ("velocity", "tip.v")):
                value = g[name][3 * point + component]
                assert abs(value - float(row[column])) <= 1e-11, (structure, t, name, value, row[column])
                others = [g[name][3 * i + k] for i in range(g["n"]) for k in range(3) if k != component]
                assert not any(others), "lines move in one direction"
            assert all(s == -1 for i, s in enumerate(g["contact_state"]) if i != point)
            states.add(g["contact_state"][point])
        assert states <= {0, 1, 2} and len(states) > 1, (structure, states)


def modes():
    """Shapes of a fixed-free string in closed form: sin((k - 1/2) pi x/L), largest 1."""
    with open("m.yaml", "w") as f:
        f.write(MODEL.replace("STRUCTURE", CASES[1][0]).replace("PLACE", "2"))
    call("modes", "m.yaml", "-o", "modes.pvd")
    frames = series("modes.pvd")
    assert len(frames) == 9
    worst = 0
    for k, (t, path) in enumerate(frames, 1):
        g = grid(path)
        assert t == k and abs(g["omega"][0] - (k - 0.5) * math.pi / 2) < 1e-12
        sign = 1 if g["displacement"][3 * 5 + 2] > 0 else -1
        for i in range(g["n"]):
            x = g["Points"][3 * i]
            worst = max(worst, abs(sign * g["displacement"][3 * i + 2] - math.sin((k - 0.5) * math.pi * x / 2)))
    assert worst < 1e-2, worst  # the largest value lies between two stations
    call("modes", "m.yaml", "-o", "few.pvd", "--count", "2")
    assert len(series("few.pvd")) == 2


def blade():
    """Bricks of CalculiX: the node of the tip moves as the samples say, all nodes stand where the input file has them."""
    model = os.path.join(gallery, "blade", "blade.yaml")
    base = ["--set", "structure.mesh=blade.inp", "--set", "simulate.until=0.3 s", "--set", "output={every: 0.02 s, points: [tip, mid]}"]
    call("run", model, *base, "-o", "blade.pvd", "--csv", "s.csv", "--no-cache")
    rows, frames = table("s.csv"), series("blade.pvd")
    assert len(rows) == len(frames) == 16
    nodes = {}
    reading = False
    for line in open(os.path.join(gallery, "blade", "blade.inp")):
        if line.startswith("*"):
            reading = line.upper().startswith("*NODE") and "PRINT" not in line.upper()
        elif reading:
            words = line.split(",")
            nodes[int(words[0])] = tuple(float(w) for w in words[1:4])
    labels = sorted(nodes)
    states = set()
    for (t, path), row in zip(frames, rows):
        g = grid(path)
        assert g["n"] == len(labels)
        assert all(g["Points"][3 * i:3 * i + 3] == nodes[label] for i, label in enumerate(labels))
        for label, column in ((49, "tip.u"), (25, "mid.u")):
            value = g["displacement"][3 * labels.index(label) + 2]
            assert abs(value - float(row[column])) <= 1e-9 * 1e-3, (t, value, row[column])
        states.add(g["contact_state"][labels.index(49)])
        assert g["types"][0] in (12, 25) and len(set(g["types"])) == 1
    assert len(states) > 1 and states <= {0, 1, 2}
    call("modes", model, *base[:2], "-o", "shapes.pvd", "--no-cache")
    assert len(series("shapes.pvd")) >= 20


def orbit():
    """One period: the frames of an orbit are those of the samples of a run that has settled, and close the loop."""
    with open("m.yaml", "w") as f:
        f.write(MODEL.replace("STRUCTURE", CASES[0][0]).replace("PLACE", CASES[0][1]).replace("every: 0.25, ", "per_period: 40, "))
    call("orbit", "m.yaml", "-o", "orbit.pvd", "--csv", "one.csv")
    frames = series("orbit.pvd")
    period = 2 * math.pi / 3
    assert len(frames) == 40 and all(abs(t - period * i / 40) < 1e-12 for i, (t, _) in enumerate(frames))
    tip = [grid(path) for _, path in frames]
    assert all(abs(g["time"] - t) == 0 for g, (t, _) in zip(tip, frames))
    rows = table("one.csv")  # 200 samples a period: every fifth
    assert len(rows) == 201
    for i, g in enumerate(tip):
        assert abs(g["displacement"][3 * 120 + 2] - float(rows[5 * i]["c.u"])) < 1e-10
        assert abs(g["velocity"][3 * 120 + 2] - float(rows[5 * i]["c.v"])) < 1e-9
    assert {g["contact_state"][120] for g in tip} <= {0, 1, 2} and len({g["contact_state"][120] for g in tip}) > 1


ENDLESS = """judder: 1
structure: {type: STRUCTURE, length: 1, mass_per_length: 1, modes: MODES, points: {c: 0.4, d: 0.61}, damping: {type: ratio, value: RATIO}}
contacts: {c: {at: c, against: ground, law: {type: LAW}}}
drives: {d: {at: d, type: harmonic, amplitude: 1, frequency: 2}}
simulate: {until: 3}
output: {every: 0.3}
"""
STRING, BEAM, FRICTION = "string, tension: 1", "beam, bending_stiffness: 0.1", "coulomb, limit: 0.1"


def endless():
    """Infinitely many modes between the contact points: runs and orbits are those of many modes, ends that are held stand still."""
    for verb, structure, ratio, law, close in (("run", STRING, 0.02, "stop, gap: 0.1, restitution: 0", 4e-3),
            ("run", BEAM, 0.01, FRICTION, 1e-6), ("orbit", STRING, 0.02, FRICTION, 2e-3), ("orbit", STRING, 0.1, FRICTION, 2e-3),
            ("orbit", BEAM, 0.03, FRICTION, 1e-6)):
        frames = {}
        for modes in ("infinite", "150"):
            with open("m.yaml", "w") as f:
                f.write(ENDLESS.replace("STRUCTURE", structure).replace("MODES", modes).replace("RATIO", str(ratio)).replace("LAW", law))
            call(verb, "m.yaml", "-o", "line.pvd")
            frames[modes] = [grid(path)["displacement"] for _, path in series("line.pvd")]
        largest = max(abs(u) for frame in frames["150"] for u in frame)
        worst = max(abs(a - b) for one, other in zip(frames["infinite"], frames["150"]) for a, b in zip(one, other))
        assert len(frames["infinite"]) == len(frames["150"]) > 10 and worst < close * largest, (verb, structure, ratio, law, worst, largest)
        assert all(u[2] == 0 and (structure == BEAM or u[-1] == 0) for u in frames["infinite"])


def without_list():
    """FILE.vtu: the same files, no list, and no HDF5 under the name of a picture."""
    with open("m.yaml", "w") as f:
        f.write(MODEL.replace("STRUCTURE", CASES[0][0]).replace("PLACE", CASES[0][1]))
    call("run", "m.yaml", "-o", "v.vtu")
    call("run", "m.yaml", "-o", "w.pvd")
    assert not os.path.exists("v.vtu") and not os.path.exists("v.pvd")
    for i in range(17):
        assert open(f"v.{i:04d}.vtu").read() == open(f"w.{i:04d}.vtu").read()
    assert grid("v.0003.vtu")["time"] == 0.75


def refusals():
    """What cannot be shown is refused by name, and nothing is written."""
    with open("m.yaml", "w") as f:
        f.write("judder: 1\nstructure: {type: modes, omega: [1, 2], shapes: {tip: [1, 1]}}\nsimulate: {until: 1}\n")
    assert "cannot be shown in space" in call("run", "m.yaml", "-o", "no.pvd", code=2)
    assert "cannot be shown in space" in call("modes", "m.yaml", "-o", "no.pvd", code=2)
    assert not [f for f in os.listdir(".") if f.startswith("no.")]
    assert "cannot" in call("modes", "m.yaml", "-o", "none/no.pvd", code=3)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    runs()
    modes()
    blade()
    orbit()
    endless()
    without_list()
    refusals()
    os.chdir("/")
