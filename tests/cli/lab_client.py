"""lab_client.py -- starts `judder lab` and speaks to it: HTTP and WebSocket by the standard library alone."""
import base64
import json
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import time


def installed(work, judder, source, *kinds):
    """The command as it is installed, with a page of one line and kinds of the gallery: it finds what lies beside it."""
    page = os.path.join(work, "share/judder/lab")
    os.makedirs(os.path.join(work, "bin"))
    os.makedirs(os.path.join(page, "assets"))
    shutil.copy(judder, os.path.join(work, "bin/judder"))
    for kind in kinds or ("friction-beam",):
        shutil.copytree(os.path.join(source, "gallery", kind), os.path.join(work, "share/judder/gallery", kind))
    with open(os.path.join(work, "share/judder/gallery/README.md"), "w", encoding="ascii") as f:
        f.write("gallery\n")
    for name in ("index.html", "assets/a.js", "secret.txt", ".hidden.html"):
        with open(os.path.join(page, name), "w", encoding="ascii") as f:
            f.write(f"this is {name}\n")
    os.symlink("/etc/passwd", os.path.join(page, "link.html"))
    return os.path.join(work, "bin/judder")


class Lab:
    """The command `judder lab`, from its start to its end."""

    def __init__(self, judder, *arguments):
        self.began = time.monotonic()
        self.process = subprocess.Popen([judder, "lab", "--no-browser", "--json", *arguments], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(self.process.stderr.read().decode())
        self.address = json.loads(line)["address"]
        self.port = int(self.address.split(":")[2].split("/")[0])
        self.token = self.address.rstrip("/").rsplit("/", 1)[1]
        self.host = f"127.0.0.1:{self.port}"

    def get(self, path, method="GET", **headers):
        """Status and body of a request; headers of value None are left out."""
        lines = {"Host": self.host, **{k.replace("_", "-"): v for k, v in headers.items()}}
        text = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items() if v is not None) + "\r\n"
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as s:
            s.sendall(text.encode())
            data = b""
            while True:
                try:
                    more = s.recv(1 << 16)
                except ConnectionResetError:
                    break
                if not more:
                    break
                data += more
        head, _, body = data.partition(b"\r\n\r\n")
        status = int(head.split()[1]) if head else 0
        return status, body, head.decode("latin1")

    def connect(self, **options):
        return Page(self, **options)

    def memory(self):
        """Resident memory of the server [MB]."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as f:
            return next(int(line.split()[1]) for line in f if line.startswith("VmRSS")) / 1024

    def end(self):
        """Ctrl-C; the exit code and what was said as errors."""
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors.decode()


class Page:
    """A WebSocket to the server, as a page opens it."""

    def __init__(self, lab, token=None, origin="", host=None, receive_buffer=0):
        host = host or lab.host
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(60)
        self.socket.connect(("127.0.0.1", lab.port))
        origin = f"http://{host}" if origin == "" else origin
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /{token or lab.token}/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                             + (f"Origin: {origin}\r\n" if origin else "") + "\r\n").encode())
        self.data = b""
        while b"\r\n\r\n" not in self.data:
            more = self.socket.recv(4096)
            if not more:
                break
            self.data += more
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        self.status = int(head.split()[1]) if head else 0
        self.number = 0

    def raw(self, opcode, payload, fin=True, mask=True):
        """One frame."""
        n = len(payload)
        head = bytes([(128 if fin else 0) | opcode])
        bit = 128 if mask else 0
        head += bytes([bit | n]) if n < 126 else bytes([bit | 126]) + struct.pack(">H",
            n) if n < 65536 else bytes([bit | 127]) + struct.pack(">Q", n)
        self.socket.sendall(head + (b"\0\0\0\0" if mask else b"") + payload)  # a mask of zeros changes nothing

    def send(self, do, **keys):
        self.number += 1
        self.raw(1, json.dumps({"do": do, "id": self.number, **keys}).encode())
        return self.number

    def _take(self, n):
        while len(self.data) < n:
            more = self.socket.recv(1 << 16)
            if not more:
                raise EOFError
            self.data += more
        out, self.data = self.data[:n], self.data[n:]
        return out

    def frame(self):
        """Opcode and payload of the next frame; pings are answered."""
        while True:
            first, second = self._take(2)
            n = second & 127
            n = struct.unpack(">H", self._take(2))[0] if n == 126 else struct.unpack(">Q", self._take(8))[0] if n == 127 else n
            payload = self._take(n)
            if first & 15 == 9:
                self.raw(10, payload)
                continue
            return first & 15, payload

    def receive(self):
        """The next message: its head, arrays by name (lists of those of one name)."""
        opcode, payload = self.frame()
        if opcode == 8:
            raise EOFError
        if opcode == 1:
            return json.loads(payload), {}
        length = struct.unpack("<I", payload[:4])[0]
        head = json.loads(payload[4:4 + length])
        at, arrays = (4 + length + 7) // 8 * 8, {}
        for name, kind, n in head["arrays"]:
            size = n * int(kind[1])
            block = payload[at:at + size]
            letter = {"f8": "d", "f4": "f", "i4": "i"}.get(kind)
            arrays.setdefault(name, []).append(struct.unpack(f"<{n}{letter}", block) if letter else block)
            at += (size + 7) // 8 * 8
        return head, arrays

    def ask(self, do, **keys):
        """The answer to a request, those to others left out."""
        number = self.send(do, **keys)
        while True:
            head, arrays = self.receive()
            if head["id"] == number:
                return head, arrays

    def waiting(self, seconds):
        return bool(self.data) or bool(select.select([self.socket], [], [], seconds)[0])

    def close(self):
        self.socket.close()
