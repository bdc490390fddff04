"""One HTTP/1.1 connection, near enough to the wire to be impolite with."""
import json
import socket
import urllib.parse

TIMEOUT = 60  # seconds without a byte before a test gives up; a sanitizer build is slow


class Response:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers  # names in lower case
        self.body = body

    def json(self):
        return json.loads(self.body)

    @property
    def revision(self):
        return int(self.headers["muster-revision"])

    def __repr__(self):
        return f"<{self.status} {self.body[:400]!r}>"


class Closed(Exception):
    """The other side closed the connection where an answer was awaited."""


class Connection:
    """Requests are checked against the contract (see contract.py) if one is given."""

    def __init__(self, port, contract=None, token=None, timeout=TIMEOUT):
        self.address = ("127.0.0.1", port)
        self.timeout = timeout
        self.contract = contract
        self.token = token
        self.open()

    def open(self):
        self.socket = socket.create_connection(self.address, timeout=self.timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def close(self):
        self.socket.close()

    def reopen(self):
        self.close()
        self.open()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- bytes ----
    def send(self, data):
        self.socket.sendall(data)

    def _more(self):
        try:
            piece = self.socket.recv(65536)
        except ConnectionResetError as error:
            raise Closed("reset") from error
        if not piece:
            raise Closed(f"closed after {self.buffer[:200]!r}")
        self.buffer += piece

    def read_response(self, head_only=False):
        """The next response; interim ones (1xx) are returned like any other."""
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        version, status = lines[0].split(" ", 2)[:2]
        assert version == "HTTP/1.1", lines[0]
        headers = {}
        for line in lines[1:]:
            name, value = line.split(":", 1)
            assert name.lower() not in headers, f"header sent twice: {line}"
            headers[name.lower()] = value.strip()
        if int(status) < 200:
            return Response(int(status), headers, b"")
        length = int(headers["content-length"])
        body = b""
        if not head_only:
            while len(self.buffer) < length:
                self._more()
            body, self.buffer = self.buffer[:length], self.buffer[length:]
        return Response(int(status), headers, body)

    def at_end(self):
        """Waits for the other side to close; true if it sent nothing more."""
        try:
            while not self.buffer:
                self._more()
        except Closed:
            return True
        return False

    # ---- requests ----
    def request(self, method, target, body=None, headers=None, check=True):
        """`body`: bytes, or something that is sent as JSON."""
        data, fields = encode(method, target, body, headers, self.token)
        self.send(data)
        response = self.read_response(head_only=method == "HEAD")
        if check and self.contract is not None:
            self.contract.check(method, target, fields, body, response)
        return response

    def get(self, target, **more):
        return self.request("GET", target, **more)

    # ---- the calls that tests make most ----
    def register(self, id, body=None, query="", **more):
        return self.request("PUT", agent_path(id) + query, card(id) if body is None else body, **more)

    def deregister(self, id, query="", **more):
        return self.request("DELETE", agent_path(id) + query, **more)

    def report(self, id, body, query="", **more):
        return self.request("POST", agent_path(id) + "/reports" + query, body, **more)

    def agent(self, id, **more):
        return self.request("GET", agent_path(id), **more)

    def discover(self, query, **more):
        return self.request("POST", "/v1/agents:discover", query, **more)

    def upload(self, lines, query="", **more):
        """`lines`: bytes, or a list of reports."""
        if not isinstance(lines, bytes):
            lines = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        fields = {"Content-Type": "application/x-ndjson", **more.pop("headers", {})}
        return self.request("POST", "/v1/reports" + query, lines, headers=fields, **more)


def seconds(duration):
    """A duration of one number and unit, as ages are given."""
    number = duration.rstrip("abcdefghijklmnopqrstuvwxyz")
    unit = duration[len(number):]
    return float(number) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400}[unit]


def agent_path(id):
    return "/v1/agents/" + urllib.parse.quote(id, safe="")


def card(name, **more):
    """The body of the least registration."""
    return {"card": {"name": name}, **more}


def encode(method, target, body=None, headers=None, token=None):
    """The request's bytes, and its header fields."""
    fields = {"Host": "muster.example"}
    data = b""
    if body is not None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        fields["Content-Type"] = "application/json"
        fields["Content-Length"] = str(len(data))
    if token is not None:
        fields["Authorization"] = "Bearer " + token
    fields.update(headers or {})
    head = f"{method} {target} HTTP/1.1\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None)
    return head.encode("latin-1") + b"\r\n" + data, fields
