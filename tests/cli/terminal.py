"""terminal.py -- what people see: 80 columns, colours on terminals only, units in heads of tables: terminal.py JUDDER SOURCE_DIR"""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

judder, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
failed = []


def check(what, fine, seen=""):
    if not fine:
        failed.append(f"{what}: {seen}")


def plain(*words, **env):
    done = subprocess.run([judder, *words], capture_output=True, text=True, env={**os.environ, **env}, stdin=subprocess.DEVNULL,
                          check=False)
    return done.stdout + done.stderr


def shown(*words, columns=80, **env):
    """What a terminal of so many columns gets, lines ended by newlines."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    settings = {**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm", **env}
    with subprocess.Popen([judder, *words], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=settings):
        os.close(theirs)
        out = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:
                break
            if not more:
                break
            out += more
    os.close(ours)
    return out.decode().replace("\r\n", "\n")


INK = re.compile(r"\033\[\d+m")
LINE = re.compile(r"\r[^\n\r]*\033\[K")  # progress


def widest(text):
    return max((len(line) for line in LINE.sub("", INK.sub("", text)).split("\n")), default=0)


def fits(what, text, columns=80):
    for line in LINE.sub("", INK.sub("", text)).split("\n"):
        check(f"{what}: more than {columns} columns", len(line) <= columns, line)


verbs = re.findall(r"^  judder ([a-z]+)", plain("help"), re.M)
check("all verbs are listed", len(verbs) >= 20, verbs)
for verb in [[], *([v] for v in verbs)]:
    fits(f"help {' '.join(verb)}", plain("help", *verb))
names = [word for word in re.findall(r"^  ([a-z][a-z-]*) ", plain("list"), re.M)]
fits("list", plain("list"))
for name in sorted(set(names)):
    text = plain("list", name)
    check(f"list {name}", text.startswith(name + " --"), text[:60])
    fits(f"list {name}", text)

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
gallery = os.path.join(source, "gallery")
beam, chain = os.path.join(gallery, "friction-beam", "rayleigh.yaml"), os.path.join(gallery, "impact-chain", "n5.yaml")
unstable, blade = (os.path.join(gallery, *p) for p in (("impact-oscillator", "forced-unstable.yaml"), ("damper", "blade.yaml")))
calls = [("check", beam), ("run", beam), ("run", beam, "-o", "r.h5"), ("orbit", beam), ("modes", beam), ("nsm", chain),
         ("run", chain, "--set", "simulate.until=20"), ("check", chain, "--set", "output={points: [nix]}"), ("info", "r.h5"),
         ("compare", "r.h5", "r.h5"), ("new",), ("list", "coulomb"), ("orbit", unstable), ("run", "nix.yaml"),
         ("run", beam, "--set", "contacts.tip.law.limi=1"), ("kernel", os.path.join(gallery, "cantilever", "tip.yaml")),
         ("backbone", blade),
         ("follow", os.path.join(gallery, "impact-oscillator", "response.yaml"), "--set", "follow.points=40")]
for words in calls:
    text = shown(*words)
    check(f"{words}: nothing is said", text.strip())
    fits(" ".join(words), text)
    if words[0] in ("check", "run") and "-o" not in words:
        fits(f"{words[0]} on a narrow terminal", shown(*words, columns=64), 64)

# Words are not lost where lines are broken, and pipes get whole lines.
check("a broken text keeps its words", INK.sub("", shown("check", beam, columns=50)).split() == plain("check", beam).split())
check("pipes get lines as they are", widest(plain("check", beam)) > 200)
# Colours: on a terminal, unless told otherwise.
good, bad = shown("run", beam), shown("run", "nix.yaml")
check("a complete certificate is green", "\033[32mcomplete\033[0m" in good, good[:400])
check("an error is red, its hint cyan", "\033[31mjudder: " in bad and "\033[36m  hint: " in bad, bad)
check("unstable is red", "\033[31munstable\033[0m" in shown("orbit", unstable))
for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
    for words in (("run", beam), ("run", "nix.yaml"), ("check", beam)):
        text = shown(*words, **env)
        check(f"no colour with {env}", not INK.search(text), text[:200])
check("an empty NO_COLOR does not count", INK.search(shown("run", beam, NO_COLOR="")))
for words in (("run", beam), ("run", "nix.yaml"), ("help",)):
    check("no colour in pipes", "\033" not in plain(*words))
# A title that commands the terminal stays text, also where lines are broken and coloured.
text = shown("check", beam, "--set", "title=\x1b[31mred")
check("control characters are spelled out or refused", "\x1b[31mred" not in text, text)
# Progress: on everything that takes more than a second, on terminals only.
slow = os.path.join(gallery, "friction-beam", "map.yaml")
text = shown("sweep", slow, "--set", "sweep.points=[30, 30]")
check("a sweep tells how far it is", re.search(r"\r[^\n]*\d+ %", text), text[-300:])
# One name, one quantity: heads of tables tell units.
for words, head in ((("run", beam, "--csv", "-"), "t [s],tip.u [m],tip.v [m/s],mid.u [m],mid.v [m/s],tip.force [N]"),
                    (("run", beam, "--events", "-"), "t [s],contact,from,to,speed [m/s],impulse [N s]"),
                    (("orbit", beam, "--csv", "-"), "t [s],tip.u [m],tip.v [m/s],tip.force [N]")):
    check(f"{words[0]} {words[2]}", plain(*words).split("\n")[0] == head, plain(*words).split("\n")[0])
check("modes --csv", plain("modes", beam, "--csv", "-").startswith("body,stuck,mode,omega [rad/s],"))
check("a ratio has no unit", plain("backbone", blade, "--csv", "-").startswith("amplitude [m],omega [rad/s],damping,"))
text = plain("run", chain, "--set", "simulate.until=20", "--set", "output.every=1", "--csv", "-")
check("no units where the model has none", text.startswith("t,"), text[:60])
for name in ("r.foo", "r.h6", "run.2", "r.xlsx"):
    text = plain("run", beam, "-o", name)
    check(f"-o {name} is refused by name", "does not know the ending" in text and not os.path.exists(name), text)
info = json.loads(plain("info", "r.h5", "--json"))
units = {c["path"]: c.get("unit") for c in info["contents"]}
for name, unit in (("t", "s"), ("tip.u", "m"), ("tip.v", "m/s"), ("tip.force", "N")):
    check(f"samples of files carry units: {name}", units.get("/samples/" + name) == unit, units)
print("\n".join(failed))
sys.exit(bool(failed))
