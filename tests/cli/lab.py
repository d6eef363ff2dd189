"""lab.py -- JUDDER SOURCE: the server of `judder lab` without a browser. JUDDER_LAB_SECONDS: how long the random client plays (3)."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from lab_client import Lab, installed

judder, source = sys.argv[1], os.path.abspath(sys.argv[2])
beam = os.path.join(source, "gallery/friction-beam/rayleigh.yaml")
LIMIT = "contacts.tip.law.limit"
failed = 0


def check(claim, good, told=""):
    global failed
    if not good:
        failed += 1
        print(f"FAILED: {claim} {told}")


def command(*arguments):
    return subprocess.run([judder, *arguments], capture_output=True, text=True, check=False, timeout=120)


def test_missing(work):
    bare = os.path.join(work, "bare/bin")
    os.makedirs(bare)
    shutil.copy(judder, bare)
    r = subprocess.run([os.path.join(bare, "judder"), "lab", beam], capture_output=True, text=True, check=False, timeout=120)
    check("without the page the command says what is missing", r.returncode == 3 and "make lab" in r.stderr and "Node.js" in r.stderr,
        r.stderr)
    r = command("lab", "/nowhere/model.yaml")
    check("a model that is not there is told", r.returncode == 3 and "/nowhere/model.yaml" in r.stderr, r.stderr)


def test_http(lab):
    t = lab.token
    status, body, head = lab.get(f"/{t}/")
    check("the page is served", status == 200 and body == b"this is index.html\n", status)
    check("with a policy that loads nothing from elsewhere", "default-src 'none'" in head and "frame-ancestors 'none'" in head
        and "no-referrer" in head, head)
    check("and so are its parts", lab.get(f"/{t}/assets/a.js")[0] == 200)
    check("pictures of the gallery are served", lab.get(f"/{t}/gallery/friction-beam/fig6c.svg")[0] == 200)
    check("the token has 128 bits and is new", len(t) == 32)
    for path in ("/", "/index.html", f"/{'0' * 32}/", f"/{t[:-1]}/", f"/{t}x/", f"/{t.upper() if t.upper() != t else 'F' * 32}/", "//",
        f"/x/{t}/"):
        check(f"without the token nothing is answered: {path}", lab.get(path)[0] == 403, lab.get(path)[:2])
    for host in ("example.org", "127.0.0.1.example.org", "localhost.example.org:80", "127.0.0.2", "", "localhost:port", "127.0.0.1:1:2"):
        check(f"another Host is refused: {host}", lab.get(f"/{t}/", Host=host)[0] in (400, 403))
    check("no Host is refused", lab.get(f"/{t}/", Host=None)[0] in (400, 403))
    for host in ("localhost", "localhost:8000", "127.0.0.1:9", "[::1]:80"):
        check(f"the near end of a tunnel is answered: {host}", lab.get(f"/{t}/", Host=host)[0] == 200)
    for origin in ("http://example.org", "null", "https://" + lab.host, "http://127.0.0.1:1", "http://" + lab.host + ".example.org"):
        check(f"another Origin is refused: {origin}", lab.get(f"/{t}/", Origin=origin)[0] == 403)
    check("its own Origin is not", lab.get(f"/{t}/", Origin="http://" + lab.host)[0] == 200)
    for name in ("../lab/index.html", "assets/../index.html", "..%2fsecret.txt", "%2e%2e/x.html", "assets//a.js", "assets/",
        "./index.html", "secret.txt",
                 ".hidden.html", "link.html", "a" * 300 + ".html", "index.html%00.js", "index.html\\", "gallery/../index.html",
                     "gallery/build.sh", "none.html"):
        check(f"what is no file of the page is not served: {name}", lab.get(f"/{t}/{name}")[0] in (400, 403, 404),
            lab.get(f"/{t}/{name}")[:2])
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"):
        check(f"{method} is refused", lab.get(f"/{t}/", method=method, Content_Length="0")[0] in (405, 403))
    check("headers without an end are refused", lab.get(f"/{t}/", X="y" * 70000)[0] in (400, 413, 0))
    with open("/proc/net/tcp", encoding="ascii") as f:
        at = [line.split()[1] for line in f if line.split()[3] == "0A" and line.split()[1].endswith(f":{lab.port:04X}")]
    check("the loopback address alone is listened on", at == [f"0100007F:{lab.port:04X}"], at)


def test_socket(lab):
    for claim, options in (("a wrong token", {"token": "0" * 32}), ("no Origin", {"origin": None}), ("a foreign Origin",
        {"origin": "http://example.org"}),
                           ("a foreign Host", {"host": "example.org", "origin": "http://example.org"})):
        check(f"no socket with {claim}", lab.connect(**options).status != 101)
    page = lab.connect()
    check("the page's own is opened", page.status == 101)
    for text in (b"", b"{", b"[]", b"1", b'{"do":1}', b'{"do":"fly","id":3}', b"\xff\xfe", b'{"id":1,"id":2,"do":"motion"}', b"[" * 5000):
        page.raw(1, text)
        head, _ = page.receive()
        check(f"a message that is none is refused: {text[:20]}", head["kind"] == "error" and head["name"] == "bad-usage", head)
    for keys in ({"set": 3}, {"set": [1]}, {"set": ["x"]}, {"set": ["a.b=1"]}, {"set": [f"{LIMIT}=-1"]}, {"set": ["="] * 2000},
        {"from": "a"}, {"from": 1e308, "to": -1e308}, {"what": 7},
                 {"state": ["a"], "phase": "H"}, {"state": [1e300] * 9, "phase": "HHHH"}):
        for do in ("motion", "orbit", "download", "yaml"):
            head, _ = page.ask(do, **keys)
            check(f"odd keys are answered: {do} {str(keys)[:40]}", head["kind"] in ("error", "motion", "no-orbit", "yaml"), head["kind"])
    text = json.dumps({"do": "open", "id": 77, "what": ""}).encode()
    page.raw(1, text[:5], fin=False)
    page.raw(0, text[5:9], fin=False)
    page.raw(0, text[9:])
    head, _ = page.receive()
    check("fragments are put together", head["kind"] == "model" and head["id"] == 77, head)
    for claim, act in (("binary messages", lambda p: p.raw(2, b"x")), ("continuations of nothing", lambda p: p.raw(0, b"x")),
        ("a message within another", lambda p: (p.raw(1, b"{", fin=False), p.raw(1, b"{}"))),
                       ("messages above 4 MiB", lambda p: p.raw(1, b" " * (5 << 20))), ("fragments above 4 MiB", lambda p: [p.raw(0
                           if i else 1, b" " * (1 << 20), fin=False) for i in range(6)])):
        other = lab.connect()
        other.socket.settimeout(20)
        try:
            act(other)
            while True:
                other.receive()
        except TimeoutError:
            check(f"{claim} end the connection", False)
        except (EOFError, OSError):
            pass
        other.close()
    check("the other page does not notice", page.ask("open", what="")[0]["kind"] == "model")
    page.close()


def test_model(lab):
    page = lab.connect()
    head, _ = page.ask("open", what="")
    knob = next(k for k in head["knobs"] if k["path"] == LIMIT)
    check("knobs have value, unit, range and doc", knob["value"] == 0.66 and knob["unit"] == "N" and knob["low"] == 0 and knob["doc"], knob)
    with open(beam, encoding="utf-8") as f:
        text = f.read()
    check("the text is the file's", head["text"] == text)
    for path, value in ((LIMIT, "0.5"), ("structure.damping.stiffness", "6e-05"), ("drives.shaker.phase", "0.1 rad"),
        ("simulate.event_budget", "1000")):
        head, _ = page.ask("yaml", set=[f"{path}={value}"])
        lines, old = head["text"].split("\n"), text.split("\n")
        check(f"YAML changes one line, comments stay: {path}", head["comments"] and len(lines) == len(old) and sum(a != b for a,
            b in zip(lines, old)) == 1, head["text"])
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as f:
            f.write(head["text"])
            f.flush()
            a, b = (json.loads(command("check", *x, "--json").stdout or "{}") for x in ((f.name,), (beam, "--set", f"{path}={value}")))
        check(f"and says the same: {path}", a.get("text") == b.get("text") and a.get("error") is None, a)
    wrong = text.replace("length: 2.47 m", "lenght: 2.47 m")
    head, _ = page.ask("model", text=wrong)
    told = subprocess.run([judder, "check", "/dev/stdin", "--json"], input=wrong, capture_output=True, text=True, check=False).stdout
    place = ":".join(head["where"].split(":")[-2:])
    check("what is wrong is told as the command tells it, at its place", head["kind"] == "error"
        and head["message"] == json.loads(told)["error"]["message"] and place == "6:3", (head, told))
    check("and again right, it is computed", page.ask("model", text=text)[0]["kind"] == "model"
        and page.ask("motion")[0]["kind"] == "motion")
    for what in ("gallery/friction-beam/map.yaml", "template/bowed-string", "template/matrices"):
        check(f"models to start from: {what}", page.ask("open", what=what)[0]["kind"] == "model"
            and page.ask("motion" if "map" not in what else "yaml")[0]["kind"] in ("motion", "yaml"))
    for what in ("gallery/../../../etc/passwd", "gallery//etc/passwd", "template/none", "/etc/passwd", "gallery/friction-beam/fig6c.svg"):
        check(f"nothing else is opened: {what}", page.ask("open", what=what)[0]["kind"] == "error")
    page.close()


def test_numbers(lab, work):
    page = lab.connect()
    page.ask("open", what="")
    h, until = 2.0**-9, 1800 * 2.0**-9
    csv = os.path.join(work, "run.csv")
    command("run", beam, "--set", f"{LIMIT}=0.5", "--set", f"output.every={h} s", "--set", "output.per_period=0", "--set",
        f"simulate.until={until} s", "--csv", csv, "--quiet")
    with open(csv, encoding="ascii") as f:
        names = f.readline().strip().split(",")
        rows = {float(r[0]): r for r in (line.strip().split(",") for line in f)}
    head, arrays = page.ask("motion", set=[f"{LIMIT}=0.5", f"simulate.until={until} s"], **{"from": 0, "to": until})
    column, same = names.index("tip.u [m]"), 0
    for t, u in zip(arrays["t"][0], arrays["point.0"][0]):
        if t in rows:
            same += 1
            check("samples are those of `judder run`", float(rows[t][column]) == u, (t, u, rows[t][column]))
    check("at all times of the grid", same >= 1801 and head["certified"], same)
    inner, within = page.ask("motion", set=[f"{LIMIT}=0.5", f"simulate.until={until} s"], **{"from": 900 * h, "to": 1350 * h})
    whole = dict(zip(arrays["t"][0], arrays["point.0"][0]))
    pairs = [(whole[t], u) for t, u in zip(within["t"][0], within["point.0"][0]) if t in whole]
    check("a stretch that is zoomed into is computed anew, not interpolated", len(pairs) > 400 and all(abs(a - b) <= 1e-18 for a,
        b in pairs) and len(within["t"][0]) > 1800, len(pairs))
    told = json.loads(command("run", beam, "--set", f"{LIMIT}=0.5", "--json").stdout)
    head, _ = page.ask("motion", set=[f"{LIMIT}=0.5"])
    check("certificate and balance are those of `judder run`", head["certified"] == told["certificate"]["certified"]
        and abs(head["residual"] - told["energy"]["residual"]) < 1e-18, (head["residual"], told["energy"]))
    orbit, _ = page.ask("orbit", set=[f"{LIMIT}=0.5"])
    told = json.loads(command("orbit", beam, "--set", f"{LIMIT}=0.5", "--json").stdout)
    check("the orbit is that of `judder orbit`", orbit["orbit"]["period"] == told["period"]
        and orbit["orbit"]["stable"] == told["stable"], (orbit["orbit"], {k: told[k] for k in ("period", "stable")}))
    head, _ = page.ask("motion", set=["simulate.event_budget=5"])
    check("a stop reason is a sentence", "the number of events allowed was reached" in head["stopped"], head["stopped"])
    test_files(page)
    page.close()


def test_kept(lab):
    """Structures that are kept from change to change: the numbers are those of a page that keeps nothing."""
    page = lab.connect()
    page.ask("open", what="")
    lists = [[], [f"{LIMIT}=0.4"], ["structure.length=2.6 m"], ["structure.length=2.6 m", f"{LIMIT}=0.4"], [f"{LIMIT}=0.4"],
        ["contacts.tip.at=mid"], ["structure.damping.mass=0.5", "drives.shaker.amplitude=3"], ["drives.shaker.amplitude=3"],
        ["structure.elements=-1"], ["drives.shaker.amplitude=3"]]
    for change in lists:
        head, arrays = page.ask("motion", set=change, shape=True, samples=400)
        other = lab.connect()
        other.ask("open", what="")
        fresh, expected = other.ask("motion", set=change, shape=True, samples=400)
        other.close()
        same = [k for k in ("kind", "certificate", "residual", "events", "shape", "message") if head.get(k) != fresh.get(k)]
        check("what is kept between changes changes nothing", not same and arrays == expected, (change, same))
    text = page.ask("open", what="")[0]["text"]
    longer = page.ask("motion", text=text.replace("length: 2.47 m", "length: 2.6 m"))[1]
    changed = page.ask("motion", text=text, set=["structure.length=2.6 m"])[1]
    check("an edited text is not mixed up with the one before", longer == changed != page.ask("motion", set=[])[1])
    page.close()


def test_files(page):
    for what, begins in (("csv", b"t [s],"), ("hdf5", b"\x89HDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")):
        head, arrays = page.ask("download", what=what, set=["simulate.until=3 periods"])
        if what in ("svg", "png") and head.get("name") == "no-gnuplot":
            continue
        check(f"a file is sent: {what}", head["kind"] == "file" and arrays["data"][0].startswith(begins), head)
    for what, begins in (("csv", b"t [s],"), ("hdf5", b"\x89HDF"), ("svg", b"<?xml")):
        head, arrays = page.ask("download", what=what, view="orbit", set=[f"{LIMIT}=0.5"])
        if what == "svg" and head.get("name") == "no-gnuplot":
            continue
        check(f"and of the orbit: {what}", head["kind"] == "file" and arrays["data"][0].startswith(begins), head)
        if what == "csv":
            period = json.loads(command("orbit", beam, "--set", f"{LIMIT}=0.5", "--json").stdout)["period"]
            last = float(arrays["data"][0].decode().strip().split("\n")[-1].split(",")[0])
            check("whose samples are of one period", 0.9 * period < last <= period * (1 + 1e-12), (last, period))
    head, arrays = page.ask("sound", to=0.5, signal="tip.v", rate=8000)
    check("sound is sent", head["kind"] == "file" and arrays["data"][0][:4] == b"RIFF", head)
    check("a signal that does not exist is told", page.ask("sound", to=0.5, signal="nose.v")[0]["kind"] == "error")


SMALL = ["sweep.points=[8, 6]"]


def test_long(lab):
    page = lab.connect()
    page.ask("open", what="gallery/friction-beam/map.yaml")
    page.send("sweep", set=SMALL)
    grid, seen, end = None, {}, None
    while not end:
        head, arrays = page.receive()
        grid = head if head["kind"] == "sweep" else grid
        end = head if head["kind"] in ("sweep-end", "error") else None
        if head["kind"] == "sweep-points":
            seen.update(zip(arrays["index"][0], arrays["amplitude"][0]))
    told = json.loads(command("sweep", os.path.join(source, "gallery/friction-beam/map.yaml"), "--set", SMALL[0],
        "--json").stdout)["points"]
    check("a sweep comes point by point, with the numbers of `judder sweep`", end["kind"] == "sweep-end" and end["complete"]
        and len(seen) == 48 == grid["points"]
          and all(seen[i] == p["amplitude"] for i, p in enumerate(told)), (end, len(seen)))
    page.send("sweep", set=["sweep.points=[100, 100]"])
    while page.receive()[0]["kind"] != "sweep-points":
        pass
    page.send("cancel")
    began = time.monotonic()
    head = {"kind": ""}
    while head["kind"] != "sweep-end":
        head, _ = page.receive()
    check("a sweep is stopped when asked to", not head["complete"] and time.monotonic() - began < 20, head)
    check("a model without the section is told", page.ask("follow")[0]["name"] == "missing-key")
    page.ask("open", what="gallery/friction-beam/response.yaml")
    page.send("follow", set=["follow.to=0.7"])
    parts, grown, head = 0, [], {"kind": ""}
    while head["kind"] not in ("follow", "error"):
        head, arrays = page.receive()
        if head["kind"] == "follow-points":
            parts, grown = parts + 1, grown[:head["first"]] + list(zip(arrays["parameter"][0], arrays["amplitude"][0], arrays["stable"][0]))
    whole = list(zip(arrays["parameter"][0], arrays["amplitude"][0], arrays["stable"][0]))
    check("a branch comes orbit by orbit, and is the whole in the end", parts > 1 and grown == whole[:len(grown)] and len(grown) > 10,
        (parts, len(grown), len(whole)))
    page.send("follow")
    while page.receive()[0]["kind"] != "follow-points":
        pass
    page.send("cancel")
    stopped = {"kind": "follow-points"}
    while stopped["kind"] == "follow-points":
        stopped, _ = page.receive()
    check("a branch is stopped when asked to, and says so", stopped["kind"] == "follow-stopped", stopped)
    check("a branch has orbits, special points and an end", head["kind"] == "follow" and len(arrays["parameter"][0]) > 10
        and head["end"].startswith("The branch ends at 0.7"), head.get("end", head))
    n, k = head["numbers"], len(arrays["parameter"][0]) // 2
    state = arrays["states"][0][k * n:(k + 1) * n]
    orbit, _ = page.ask("orbit", set=[f"drives.shaker.frequency.times={arrays['parameter'][0][k]!r}"], state=state,
        phase=head["phases"][int(arrays["start"][0][k])])
    check("an orbit of the branch is shown from its state", orbit["kind"] == "motion" and orbit["orbit"]["residual"] < 1e-11,
        orbit.get("orbit", orbit))
    page.close()


def test_latest(lab):
    page = lab.connect()
    page.ask("open", what="")
    ids = [page.send("motion", set=[f"{LIMIT}={0.3 + 0.001 * i}"]) for i in range(300)]
    answered, last = [], 0
    while last != ids[-1]:
        last = int(page.receive()[0]["id"])
        answered.append(last)
    check("of many changes the last is answered, in order", answered == sorted(answered) and answered[-1] == ids[-1])
    check("and nothing is left over", not page.waiting(0.3) and len(answered) < 300, len(answered))
    slow = ["simulate.until=200000 periods"]
    page.send("motion", set=slow)
    time.sleep(0.3)
    began = time.monotonic()
    head, _ = page.ask("motion", set=[f"{LIMIT}=0.4"])
    check("a newer change cancels a long computation", head["kind"] == "motion" and time.monotonic() - began < 10, time.monotonic() - began)
    page.send("motion", set=slow)
    page.close()


def test_crowd(lab):
    pages = [lab.connect() for _ in range(50)]
    open_ = [p for p in pages if p.status == 101]
    check("of 50 pages 40 are answered, the others refused", len(open_) == 40, len(open_))
    check("files are served beside them", lab.get(f"/{lab.token}/")[0] == 200)
    for p in open_:
        p.send("open", what="")
    check("each of them is answered", all(p.receive()[0]["kind"] == "model" for p in open_))
    for p in pages:
        p.close()
    late, end = 0, time.monotonic() + 20
    while late != 101 and time.monotonic() < end:
        p = lab.connect()
        late = p.status
        p.close()
    check("when they are closed others come in", late == 101)


def test_slow(lab):
    slow, other = lab.connect(receive_buffer=4096), lab.connect()
    slow.ask("open", what="")
    other.ask("open", what="")
    before = lab.memory()
    for i in range(200):
        slow.send("motion", set=[f"{LIMIT}={0.3 + 0.001 * i}"], shape=True)
    began = time.monotonic()
    for _ in range(5):
        other.ask("motion")
    check("a page that does not read holds nobody up", time.monotonic() - began < 15, time.monotonic() - began)
    check("and takes no memory", lab.memory() < before + 100, (before, lab.memory()))
    slow.close()
    other.close()


def noise(lab, seconds, seed):
    """A page that asks for whatever comes to its mind."""
    draw, end = random.Random(seed), time.monotonic() + seconds
    models = ["", "gallery/friction-beam/map.yaml", "gallery/friction-beam/response.yaml", "template/impact-chain",
        "template/bowed-string", "template/two-rods", "template/modes", "template/matrices", "template/cantilever", "x"]
    page = None
    while time.monotonic() < end:
        page = page or lab.connect()
        if page.status != 101:
            return
        keys = {"set": [f"{LIMIT}={draw.choice([0.1, 0.5, -1, 1e300, 'x'])}"] if draw.random() < 0.4 else [],
            "what": draw.choice(models + ["csv", "svg"]), "shape": draw.random() < 0.5,
                "from": draw.choice([None, 0, 1, -3, 1e9]), "to": draw.choice([None, 2, 0.5]), "state": draw.choice([None, [],
                    [0.0] * draw.randrange(60)]), "phase": draw.choice(["H", "+", ""])}
        if draw.random() < 0.05:
            keys["text"] = draw.choice(["", "judder: 1", "\u0000", "a: [",
                "judder: 1\nstructure: {type: chain, count: 3, mass: 1, stiffness: 1}\n"])
        try:
            page.send(draw.choice(["open", "model", "motion", "motion", "orbit", "yaml", "sweep", "follow", "sound", "download", "cancel",
                "nonsense"]), **keys)
            while page.waiting(draw.choice([0, 0, 0.01])):
                page.receive()
            if draw.random() < 0.05:
                page.close()
                page = None
        except (EOFError, OSError):
            page = None


def test_random(lab):
    seconds = float(os.environ.get("JUDDER_LAB_SECONDS", "3"))
    threads = [threading.Thread(target=noise, args=(lab, seconds, k)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    page = lab.connect()
    check("after random requests it still answers", page.ask("open", what="")[0]["kind"] == "model"
        and page.ask("motion")[0]["kind"] == "motion")
    check("and has not grown", lab.memory() < (3000 if "asan" in judder else 300), lab.memory())
    page.send("sweep", set=["sweep.points=[100, 100]"])
    page.send("motion", set=["simulate.until=1e6 periods"])
    time.sleep(0.2)


def main():
    if "built without" in command("lab", "/nowhere").stderr:
        print("skipped: no libcivetweb")
        sys.exit(77)
    work = tempfile.mkdtemp()
    temporary = os.environ["TMPDIR"] = os.path.join(work, "tmp")
    os.makedirs(temporary)
    try:
        test_missing(work)
        lab = Lab(installed(work, judder, source), beam)
        for test in (test_http, test_socket, test_model, test_long, test_latest, test_crowd, test_slow, test_random):
            test(lab)
        test_numbers(lab, work)
        test_kept(lab)
        r = subprocess.run([os.path.join(work, "bin/judder"), "lab", beam, "--port", str(lab.port)], capture_output=True, text=True,
            check=False, timeout=120)
        check("a port that is taken is told", r.returncode == 3 and str(lab.port) in r.stderr, r.stderr)
        began = time.monotonic()
        code, errors = lab.end()
        check("what was written for templates is removed", not [f for f in os.listdir(temporary) if f.startswith("judder-lab-")])
        check("Ctrl-C ends it cleanly, whatever it computes", code == 0 and not errors and time.monotonic() - began < 20, (code,
            errors[:2000], time.monotonic() - began))
    finally:
        shutil.rmtree(work)
    sys.exit(failed > 0)


main()
