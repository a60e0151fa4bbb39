"""A client of RFC 6455, as much of it as Home Assistant and Chromium's DevTools need."""
import base64
import json
import os
import socket
import struct
import urllib.parse


class Error(Exception):
    pass


class WebSocket:
    def __init__(self, url, timeout=30):
        u = urllib.parse.urlparse(url)
        self.sock = socket.create_connection((u.hostname, u.port), timeout)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.sock.sendall(
            f"GET {u.path or '/'} HTTP/1.1\r\nHost: {u.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.buf = b""
        while b"\r\n\r\n" not in self.buf:
            self._fill()
        head, self.buf = self.buf.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Error(head.decode(errors="replace"))

    def _fill(self):
        more = self.sock.recv(262144)
        if not more:
            raise Error("the other side closed the WebSocket")
        self.buf += more

    def _take(self, n):
        while len(self.buf) < n:
            self._fill()
        out, self.buf = self.buf[:n], self.buf[n:]
        return out

    def _frame(self, opcode, data):
        n, mask = len(data), os.urandom(4)
        head = bytes([0x80 | opcode])
        if n < 126:
            head += bytes([0x80 | n])
        elif n < 65536:
            head += b"\xfe" + struct.pack(">H", n)
        else:
            head += b"\xff" + struct.pack(">Q", n)
        body = (int.from_bytes(data, "big") ^ int.from_bytes((mask * (n // 4 + 1))[:n], "big")).to_bytes(n, "big") if n else b""
        self.sock.sendall(head + mask + body)

    def send(self, obj):
        self._frame(1, json.dumps(obj).encode())

    def recv(self, timeout=30):
        self.sock.settimeout(timeout)
        whole = b""
        while True:
            b0, b1 = self._take(2)
            n = b1 & 0x7F
            if n == 126:
                n = struct.unpack(">H", self._take(2))[0]
            elif n == 127:
                n = struct.unpack(">Q", self._take(8))[0]
            data = self._take(n)
            op = b0 & 0x0F
            if op == 8:
                raise Error("the other side closed the WebSocket")
            if op == 9:
                self._frame(10, data)
            elif op in (0, 1, 2):
                whole += data
                if b0 & 0x80:
                    return json.loads(whole)

    def close(self):
        self.sock.close()
