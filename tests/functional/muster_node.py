"""The real program, started on a port and a directory of its own, for tests from outside.

  MUSTER_BINARY      the program
  MUSTER_SOURCE_DIR  the tree (default: where this file stands in)

Nothing here waits for a fixed time: it polls for a condition, and fails when PATIENCE is used up.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from contract import Contract
from http_client import Closed, Connection, TIMEOUT

SOURCE_DIR = pathlib.Path(os.environ.get("MUSTER_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
PATIENCE = TIMEOUT  # seconds for any condition to come true


def binary():
    path = os.environ.get("MUSTER_BINARY")
    if not path:
        sys.exit("Set MUSTER_BINARY to the program that is to be tested.")
    return path


def wait_until(condition, what, patience=PATIENCE):
    """The first true value of `condition()`, polled."""
    give_up_at = time.monotonic() + patience
    pause = 0.001
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > give_up_at:
            raise AssertionError(f"waited {patience} s in vain for: {what}")
        time.sleep(pause)
        pause = min(pause * 2, 0.05)


def environment(**more):
    """This process's variables without those that configure the program, and with `more`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MUSTER_")}
    return {**kept, **more}


class Node:
    """`with Node() as node: node.connect()...`. Keyword arguments of Popen go to `popen`."""

    contract = Contract(SOURCE_DIR / "src/api/openapi.json")

    def __init__(self, *flags, data=None, config=None, listen="127.0.0.1:0", token=None, ready=True, **popen):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="muster-test-"))
        self.data = pathlib.Path(data) if data else self.home / "data"
        self.log_path = self.home / "log"
        self.token = token
        self.popen = popen
        self.process = None
        self.port = None
        self.command = [binary(), "serve", "--listen", listen, "--port-file", str(self.home / "port"),
                        "--data", str(self.data), *map(str, flags)]
        if config is not None:
            (self.home / "muster.toml").write_text(config)
            self.command += ["--config", str(self.home / "muster.toml")]
        self.start_ready = ready

    # ---- life ----
    def start(self, ready=None):
        (self.home / "port").unlink(missing_ok=True)
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env=environment(), **self.popen)
        if self.start_ready if ready is None else ready:
            self.port = wait_until(self._port, "the port file")
            wait_until(self._is_ready, "GET /readyz")
        return self

    def _port(self):
        self.expect_alive()
        return self.port_written()

    def port_written(self):
        """The port, once the node listens."""
        try:
            text = (self.home / "port").read_text().strip()
        except FileNotFoundError:
            return None
        return int(text.rsplit(":", 1)[-1]) if text else None

    def _is_ready(self):
        self.expect_alive()
        try:
            with Connection(self.port) as connection:
                return connection.get("/readyz").status == 200
        except (ConnectionRefusedError, Closed):
            return False

    def is_ready(self):
        """As far as can be seen now; False too for a node that has ended."""
        try:
            self.port = self.port_written()
            return self.port is not None and self._is_ready()
        except AssertionError:
            return False

    def ended(self):
        return self.process.poll() is not None

    def expect_alive(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the node ended with {self.process.returncode}:\n{self.log()}")

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self):
        """The exit code of a node that is on its way out."""
        return self.process.wait(timeout=PATIENCE)

    def stop(self):
        """In order; the exit code."""
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        return self.wait()

    def kill(self):
        self.process.kill()
        return self.wait()

    def restart(self):
        code = self.stop()
        assert code == 0, f"exit code {code}:\n{self.log()}"
        return self.start()

    def log(self):
        return self.log_path.read_text(errors="replace")

    # ---- talk ----
    def connect(self, **more):
        return Connection(self.port, **{"contract": self.contract, "token": self.token, **more})

    def __enter__(self):
        return self.start()

    def close(self):
        self.__exit__(None)

    def __exit__(self, kind, *_):
        if self.process is not None and self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
        if kind is not None and self.log_path.exists():
            print(f"---- log of the node ----\n{self.log()[-12000:]}", file=sys.stderr)
        shutil.rmtree(self.home, ignore_errors=True)


def small_disk(test, size):
    """A file system of its own for `test`; None where mounting is not permitted."""
    place = pathlib.Path(tempfile.mkdtemp(prefix="muster-disk-"))
    test.addCleanup(shutil.rmtree, place, ignore_errors=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(place)], capture_output=True)
    if done.returncode != 0:
        return None
    test.addCleanup(subprocess.run, ["umount", "-l", str(place)])
    return place


def fill_up(place):
    """Takes all the space that is left; the file that holds it."""
    ballast = place / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 65536)
        except OSError:
            return ballast


class NodeTest(unittest.TestCase):
    """A fresh node for each test, and one connection to it. `flags`, `config`: of every test."""

    flags = ()
    config = None

    def setUp(self):
        self.node = Node(*self.flags, config=self.config)
        self.addCleanup(self._clean_up)
        self.node.start()
        self.connection = self.node.connect()
        self.addCleanup(self.connection.close)

    def _clean_up(self):
        failed = not getattr(self._outcome, "success", True)
        self.node.__exit__(AssertionError if failed else None)

    def expect(self, response, code, /, **members):
        """The status, and of a JSON answer these members."""
        self.assertEqual(response.status, code, response)
        for name, value in members.items():
            self.assertEqual(response.json().get(name), value, response)
        return response.json() if response.body[:1] == b"{" else None

    def expect_problem(self, response, status, *words, pointer=None):
        problem = self.expect(response, status)
        self.assertEqual(response.headers["content-type"], "application/problem+json")
        self.assertEqual(problem["status"], status)
        for word in words:
            self.assertIn(word, problem["detail"])
        if pointer is not None:
            self.assertEqual(problem.get("pointer"), pointer, response)
        return problem


def run(*arguments, input=None, env=None, timeout=PATIENCE, **more):
    """One run of the program: exit code, standard output, standard error."""
    done = subprocess.run([binary(), *map(str, arguments)], input=input, capture_output=True, text=True,
                          timeout=timeout, env=environment(**(env or {})), **more)
    return done.returncode, done.stdout, done.stderr


def main():
    unittest.main(verbosity=2)
