"""large_block.py -- a steel block of NX x NY x NZ bricks with eight nodes, clamped at x = 0, for bench/large.sh and bench/million.sh.

large_block.py FOLDER NX NY NZ [LX LY LZ NU] writes K.mtx and M.mtx (Matrix Market, lower triangles), part.yaml for Judder, and block.bin,
both triangles of the same matrices for the peer (not with the edges LX LY LZ [m] and Poisson's ratio NU given, which the peer is not asked
about); prints the number of rows.
"""
import sys

import numpy as np
import scipy.sparse as sp


def element(h, modulus=2.1e11, nu=0.3, density=7850.0):
    """K = int B' D B dV and the consistent M of one brick, 2 x 2 x 2 points."""
    c, g = modulus / ((1 + nu) * (1 - 2 * nu)), modulus / (2 * (1 + nu))
    d = np.zeros((6, 6))
    d[:3, :3] = c * nu
    d[range(3), range(3)] = c * (1 - nu)
    d[range(3, 6), range(3, 6)] = g
    corner = np.array([[2 * (v >> a & 1) - 1 for a in range(3)] for v in range(8)], float)
    k, m, w = np.zeros((24, 24)), np.zeros((24, 24)), np.prod(h) / 8
    for x in corner / np.sqrt(3):
        f = (1 + corner * x) / 2
        n = f.prod(axis=1)
        grad = np.stack([n / f[:, a] * corner[:, a] / h[a] for a in range(3)], axis=1)
        b = np.zeros((6, 24))
        for a in range(3):
            b[a, a::3] = grad[:, a]
        for row, (p, q) in enumerate(((0, 1), (1, 2), (2, 0)), 3):
            b[row, p::3], b[row, q::3] = grad[:, q], grad[:, p]
        full = np.kron(n, np.eye(3))
        k += w * b.T @ d @ b
        m += w * density * full.T @ full
    return k, m


def assemble(nx, ny, nz, size=(0.4, 0.15, 0.15), nu=0.3):
    """Lower triangles without the rows of the face x = 0."""
    k, m = element(np.array(size) / (nx, ny, nz), nu=nu)
    i, j, l = np.meshgrid(range(nx), range(ny), range(nz), indexing="ij")
    node = np.stack([((i + (v & 1)) * (ny + 1) + j + (v >> 1 & 1)) * (nz + 1) + l + (v >> 2 & 1) for v in range(8)], axis=-1)
    node = node.reshape(-1, 8)
    dof = (3 * node[:, :, None] + np.arange(3)).reshape(len(node), 24) - 3 * (ny + 1) * (nz + 1)  # held: negative
    n = 3 * nx * (ny + 1) * (nz + 1)
    out = [sp.csc_matrix((n, n)) for _ in range(2)]
    for part in np.array_split(dof, max(1, len(dof) // 20000)):  # triplets of all bricks at once would take gigabytes
        row, col = np.repeat(part, 24, axis=1).ravel(), np.tile(part, 24).ravel()
        keep = (col >= 0) & (row >= col)
        for which, e in enumerate((k, m)):
            value = np.tile(e.ravel(), len(part))
            out[which] = out[which] + sp.csc_matrix((value[keep], (row[keep], col[keep])), (n, n))
    return out


def write(path, a):
    a = a.tocoo()
    with open(path, "w") as f:
        f.write(f"%%MatrixMarket matrix coordinate real symmetric\n{a.shape[0]} {a.shape[0]} {a.nnz}\n")
        for at in range(0, a.nnz, 1 << 20):
            s = slice(at, at + (1 << 20))
            entries = zip((a.row[s] + 1).tolist(), (a.col[s] + 1).tolist(), a.data[s].tolist())
            f.write("\n".join(f"{i} {j} {x:.17g}" for i, j, x in entries) + "\n")


def main():
    folder, nx, ny, nz = sys.argv[1], *map(int, sys.argv[2:5])
    bar = [float(x) for x in sys.argv[5:9]]
    k, m = assemble(nx, ny, nz, bar[:3], bar[3]) if bar else assemble(nx, ny, nz)
    write(f"{folder}/K.mtx", k)
    write(f"{folder}/M.mtx", m)
    if not bar:
        both = [(a + sp.tril(a, -1).T).tocsc() for a in (k, m)]
        with open(f"{folder}/block.bin", "wb") as f:  # n, then of K and M: entries, starts, rows, values
            np.array([k.shape[0]], np.int64).tofile(f)
            for a in both:
                np.array([a.nnz], np.int64).tofile(f)
                for x, kind in ((a.indptr, np.int32), (a.indices, np.int32), (a.data, np.float64)):
                    x.astype(kind).tofile(f)
    with open(f"{folder}/part.yaml", "w") as f:
        f.write("judder: 1\nstructure: {type: matrices, mass: M.mtx, stiffness: K.mtx, modes: 50, "
                f"points: {{tip: {{node: {k.shape[0]}}}}}}}\n")
    print(k.shape[0])


main()
