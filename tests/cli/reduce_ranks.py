"""reduce_ranks.py -- modes computed over the ranks of MPI are those of one process, within the errors both state.

reduce_ranks.py JUDDER JUDDER-REDUCE. A truss of springs in space, held, free, in two bodies and with a singular mass matrix, in Matrix
Market and MATLAB files; static shapes, Craig-Bampton, files that others take; what is wrong is told by name, a killed rank leaves no file.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.io
import scipy.sparse as sp
from scipy.sparse.linalg import spsolve

JUDDER, PROGRAM = (os.path.abspath(p) for p in sys.argv[1:3])
ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
           OMPI_MCA_btl_vader_single_copy_mechanism="none")
ENV["ASAN_OPTIONS"] = "detect_leaks=0:" + ENV.get("ASAN_OPTIONS", "")
FAILED = []


def lattice(nx, ny, nz, held, seed):
    """Springs between all neighbours of a lattice, stiffness and mass drawn; the plane x = 0 held or not."""
    rng = np.random.default_rng(seed)
    at = np.stack(np.meshgrid(range(nx), range(ny), range(nz), indexing="ij"), -1).reshape(-1, 3)
    number = {tuple(p): i for i, p in enumerate(at)}
    n = 3 * len(at)
    row, column, value = [], [], []
    for p, i in number.items():
        for d in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1), (1, 0, 1), (1, -1, 0), (0, 1, -1), (1, 0, -1)):
            j = number.get(tuple(np.add(p, d)))
            if j is None:
                continue
            axis = np.array(d) / np.linalg.norm(d)
            block = rng.uniform(0.5, 2) * 1e6 * np.outer(axis, axis)
            for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
                for u in range(3):
                    for v in range(3):
                        row.append(3 * a + u), column.append(3 * b + v), value.append(sign * block[u, v])
    k = sp.csc_matrix((value, (row, column)), (n, n))
    m = sp.diags(np.repeat(rng.uniform(0.5, 2, len(at)), 3)).tocsc()
    first = 3 * ny * nz if held else 0
    return k[first:, first:].tocsc(), m[first:, first:].tocsc()


def write(name, k, m, rest, matlab=False):
    n = k.shape[0]
    if matlab:
        scipy.io.savemat(f"{name}.mat", {"K": k, "M": m})
        files = f"mass: {{file: {name}.mat, name: M}}, stiffness: {{file: {name}.mat, name: K}}"
    else:
        for letter, a in (("K", k), ("M", m)):
            scipy.io.mmwrite(f"{name}-{letter}.mtx", sp.tril(a), symmetry="symmetric", precision=17)
        files = f"mass: {name}-M.mtx, stiffness: {name}-K.mtx"
    with open(f"{name}.yaml", "w") as f:
        f.write(f"judder: 1\nstructure: {{type: matrices, {files}, points: {{a: {{node: {n}}}, b: {{node: {n // 2}}}}}, {rest}}}\n")


def call(words, **more):
    return subprocess.run(words, capture_output=True, text=True, env=ENV, timeout=300, **more)


def ranks(n, *words, **more):
    return call(["mpirun", "--oversubscribe", "-np", str(n), PROGRAM, *words], **more)


def numbers(path):
    """Frequencies, what they may be off, deflection of a under a unit force there.

    Static shapes of free bodies depend on the last digits of their rigid-body modes: 1e-8 for those.
    """
    out = call([JUDDER, "modes", path, "--json", "--count", "1000", "--no-cache"])
    if out.returncode:
        raise SystemExit(f"{path}: {out.stdout}{out.stderr}")
    document = json.loads(out.stdout)
    modes, shape = document["modes"], np.array(document["points"]["a"]["value"])
    omega = np.array([m["omega"] for m in modes])
    error = np.array([1e-8 if m.get("static_shape") else m.get("error", 0) or 0 for m in modes])
    moves = omega > 0
    return omega, error, np.sum((shape[moves] / omega[moves]) ** 2)


def same(name, counts=(1, 2, 3)):
    one = call([JUDDER, "reduce", f"{name}.yaml", "-o", f"{name}-0.yaml", "--force", "--no-cache"])
    if one.returncode:
        FAILED.append(f"{name}: {one.stderr}")
        return
    omega, error, give = numbers(f"{name}-0.yaml")
    for n in counts:
        out = ranks(n, f"{name}.yaml", "-o", f"{name}-{n}.yaml", "--force", "--no-cache")
        if out.returncode or f"{n} rank" not in out.stderr or "GB" not in out.stderr:
            FAILED.append(f"{name} on {n} ranks: {out.stdout}{out.stderr}")
            continue
        other, wrong, gives = numbers(f"{name}-{n}.yaml")
        if len(other) != len(omega):
            FAILED.append(f"{name} on {n} ranks: {len(other)} modes instead of {len(omega)}")
            continue
        allowed = omega * (error + wrong + 1e-12) + 1e-9 * omega[-1] * (omega == 0)
        off = np.abs(other - omega)
        print(f"{name} on {n} ranks: {len(omega)} modes, largest difference {np.max(off[omega > 0] / omega[omega > 0]):.1e}")
        if not np.all(off <= allowed):
            FAILED.append(f"{name} on {n} ranks: frequencies differ by {off[off > allowed]}")
        if abs(gives / give - 1) > 1e-9:
            FAILED.append(f"{name} on {n} ranks: static deflection differs by {gives / give - 1:.1e}")
        if np.any((omega == 0) != (other == 0)):
            FAILED.append(f"{name} on {n} ranks: other rigid-body modes")


def refused(what, words, n, text, **more):
    out = ranks(n, *words, **more)
    told = " ".join((out.stdout + out.stderr).split())
    if out.returncode == 0 or text not in told:
        FAILED.append(f"{what}: `{text}` is not told (exit {out.returncode}): {told}")


def try_all():
    k, m = lattice(12, 5, 5, True, 1)
    write("held", k, m, "modes: 20")
    same("held")
    write("bampton", k, m, "modes: 12, reduction: craig-bampton", matlab=True)
    same("bampton", (2,))
    write("alone", k, m, "modes: 9, reduction: none")
    same("alone", (2,))
    free, mass = lattice(9, 5, 5, False, 2)
    write("free", free, mass, "modes: 15")
    same("free", (1, 4))
    write("two", sp.block_diag((k, free)).tocsc(), sp.block_diag((m, mass)).tocsc(), "modes: 15")
    same("two", (2,))
    thin = mass.tolil()  # one node whose mass has rank 1: semidefinite
    thin[:3, :3] = np.outer([1, 2, 3], [1, 2, 3]) / 9.0
    write("singular", free, thin.tocsc(), "modes: 15")
    same("singular", (2,))
    load = np.zeros(k.shape[0])
    load[-1] = 1
    off = numbers("held-2.yaml")[2] / spsolve(k, load)[-1] - 1
    if abs(off) > 1e-9:
        FAILED.append(f"the static deflection is off by {off:.1e}")

    refused("no model", ["nowhere.yaml", "-o", "x.yaml"], 2, "nowhere.yaml")
    refused("no output", ["held.yaml"], 2, "-o FILE.yaml")
    refused("a file that is there", ["held.yaml", "-o", "held-1.yaml"], 2, "--force")
    refused("an unknown option", ["held.yaml", "--ranks", "2", "-o", "x.yaml"], 2, "--ranks")
    refused("an unknown point", ["held.yaml", "--set", "structure.interface=[c]", "-o", "x.yaml"], 2, "`c`")
    write("bent", (k - 1e6 * sp.identity(k.shape[0])).tocsc(), m, "modes: 5")
    refused("negative stiffness", ["bent.yaml", "-o", "x.yaml"], 3, "not positive semidefinite")
    write("light", k, (m - 3 * sp.identity(k.shape[0])).tocsc(), "modes: 5")
    refused("negative mass", ["light.yaml", "-o", "x.yaml"], 2, "mass matrix is not positive")
    refused("too many modes", ["held.yaml", "--modes", "100000", "-o", "x.yaml"], 2, "100000")
    if os.path.exists("x.yaml"):
        FAILED.append("what fails leaves a file")
    text = call([PROGRAM, "--help"])
    if text.returncode or "mpirun" not in text.stdout:
        FAILED.append("no help")


def kill_one():
    """A rank that is killed ends all of them; there is no file, and the same command writes it."""
    k, m = lattice(30, 14, 14, True, 3)
    write("large", k, m, "modes: 40")
    for victim in ("0", "1"):
        line = f'echo $$ > rank$OMPI_COMM_WORLD_RANK; exec {PROGRAM} large.yaml --no-cache -o large-2.yaml -q'
        words = ["mpirun", "--oversubscribe", "-np", "2", "sh", "-c", line]
        job = subprocess.Popen(words, env=ENV, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        time.sleep(1.5)
        done = job.poll() is not None
        if not done:
            os.kill(int(open(f"rank{victim}").read()), 9)
        code = job.wait(60)
        if not done and (code == 0 or os.path.exists("large-2.yaml")):
            FAILED.append(f"rank {victim} was killed: exit {code}")
        if done:
            os.remove("large-2.yaml")


def main():
    if not shutil.which("mpirun"):
        print("mpirun is not there: nothing tried")
        raise SystemExit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try_all()
        kill_one()
        os.chdir("/")
    print("\n".join(FAILED))
    raise SystemExit(1 if FAILED else 0)


main()
