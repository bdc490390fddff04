"""A full disk, a directory that can't be written, a corrupt store, two nodes on one directory.

Each gives a clear error, and nothing that was acknowledged is lost.
"""
import contextlib
import os
import pathlib
import random
import resource
import shutil
import signal
import tempfile
import unittest

from http_client import card
from muster_node import Node, NodeTest, fill_up, main, small_disk, wait_until


def fill(node, count, prefix="a"):
    """Registers and reports; the ids."""
    ids = [f"{prefix}{i}" for i in range(count)]
    with node.connect() as connection:
        for id in ids:
            assert connection.register(id, card(f"name of {id}", labels={"n": id})).status == 201
            assert connection.report(id, {"sequence": 1, "states": {"load": 0.5}}, "?ack=durable").status == 200
    return ids


def missing(node, ids):
    """Which of `ids` are not there as they were registered and reported."""
    lost = []
    with node.connect() as connection:
        for id in ids:
            agent = connection.agent(id)
            if agent.status != 200 or agent.json()["card"]["name"] != f"name of {id}" or \
                    agent.json()["states"].get("load", {}).get("value") != 0.5:
                lost.append((id, agent))
    return lost


class FaultTest(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="muster-fault-"))
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    def refuses(self, node, *words, data=None):
        """The node does not start, soon says why, and names the directory."""
        with contextlib.closing(node):
            node.start(ready=False)
            code = node.wait()
            log = node.log()
        self.assertNotIn(code, (0, -signal.SIGABRT, -signal.SIGSEGV, -signal.SIGKILL), log)
        for word in (str(data or node.data), *words):
            self.assertIn(word, log)
        self.assertNotIn("Sanitizer", log)
        return log


class FullDisk(FaultTest):
    def test_a_full_disk_refuses_writes_and_keeps_what_it_has(self):
        place = small_disk(self, "64m")
        if place is None:
            self.skipTest("no permission to mount a small file system; the test below covers the refusal")
        with Node(data=place / "data") as node:
            ids = fill(node, 30)
            ballast = fill_up(place)
            refused, kept = self.write_until_refused(node)
            self.assertEqual(refused.status, 507, refused)
            self.assertEqual(refused.headers["content-type"], "application/problem+json")
            # What was there is still served, and so is what was acknowledged on the way.
            self.assertEqual(missing(node, ids), [])
            with node.connect() as connection:
                self.assertEqual(connection.discover({"limit": 1}).status, 200)
                self.assertEqual(connection.agent(f"late{kept}").status, 404)
            ballast.unlink()
            # With space again it takes writes again, without a restart.
            wait_until(lambda: self.writes(node), "a write after space was made")
            self.assertEqual(node.stop(), 0, node.log())
            node.start()
            self.assertEqual(missing(node, ids), [])
            self.late_are_there(node, kept)

    def test_a_limit_on_the_size_of_files(self):
        """The same from the kernel's other side: EFBIG."""
        def ignore():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        with Node(data=self.home / "data", preexec_fn=ignore) as node:
            ids = fill(node, 10)
            resource.prlimit(node.process.pid, resource.RLIMIT_FSIZE, (256 * 1024, resource.RLIM_INFINITY))
            refused, kept = self.write_until_refused(node)
            self.assertIn(refused.status, (503, 507))
            self.assertEqual(missing(node, ids), [])
            resource.prlimit(node.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            node.kill()
            node.start()
            self.assertEqual(missing(node, ids), [])
            self.late_are_there(node, kept)

    def write_until_refused(self, node):
        """The refusal, and how many registrations were taken before it."""
        with node.connect() as connection:
            for i in range(3000):
                response = connection.register(f"late{i}", card("y" * 60_000))
                if response.status != 201:
                    return response, i
        self.fail("no write was refused")

    def late_are_there(self, node, kept):
        with node.connect() as connection:
            for i in range(kept):
                self.assertEqual(connection.agent(f"late{i}").status, 200, i)

    def writes(self, node):
        with node.connect() as connection:
            return connection.register("again", card("again")).status in (200, 201)


class Directory(FaultTest):
    def test_a_read_only_directory(self):
        data = self.home / "data"
        data.mkdir()
        more = {}
        if os.getuid() == 0:  # whom no mode stops
            more = {"user": 65534, "group": 65534}
            self.home.chmod(0o755)
        data.chmod(0o555)
        node = Node(data=data, **more)
        node.home.chmod(0o777)
        log = self.refuses(node)
        self.assertRegex(log.lower(), "permission|read-only|not writ")
        self.assertEqual(list(data.iterdir()), [])

    def test_a_store_that_became_read_only(self):
        data = self.home / "data"
        with Node(data=data) as node:
            ids = fill(node, 5)
            self.assertEqual(node.stop(), 0)
        more = {}
        if os.getuid() == 0:
            more = {"user": 65534, "group": 65534}
            self.home.chmod(0o755)
        for path in [data, *data.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = contents(data)
        node = Node(data=data, **more)
        node.home.chmod(0o777)
        self.refuses(node)
        self.assertEqual(contents(data), before)
        for path in [data, *data.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        with Node(data=data) as node:
            self.assertEqual(missing(node, ids), [])

    def test_a_file_in_its_place(self):
        (self.home / "data").write_text("precious")
        self.refuses(Node(data=self.home / "data"))
        self.refuses(Node(data=self.home / "data" / "below"), data=self.home / "data")
        self.assertEqual((self.home / "data").read_text(), "precious")

    def test_a_directory_of_something_else(self):
        """It is not mixed up with a store."""
        data = self.home / "data"
        data.mkdir()
        (data / "thesis.txt").write_text("precious")
        (data / "CURRENT").write_text("not a store\n")
        self.refuses(Node(data=data))
        self.assertEqual((data / "thesis.txt").read_text(), "precious")
        self.assertEqual((data / "CURRENT").read_text(), "not a store\n")


def contents(directory):
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


class SecondProcess(NodeTest):
    def test_two_nodes_on_one_directory(self):
        ids = fill(self.node, 5)
        second = Node(data=self.node.data)
        with contextlib.closing(second):
            second.start(ready=False)
            self.assertGreater(second.wait(), 0)
            self.assertIn(str(self.node.data), second.log())
            self.assertRegex(second.log(), "(?i)another|in use|lock")
        self.assertEqual(missing(self.node, ids), [])
        self.expect(self.connection.register("more"), 201)
        self.node.restart()
        self.assertEqual(missing(self.node, ids), [])


class Corrupt(FaultTest):
    """One byte of one file is flipped: the node refuses to start rather than serve less than it had, or
    it has everything. With the byte put right, everything is there: the attempt has spoiled nothing."""

    def setUp(self):
        super().setUp()
        self.data = self.home / "data"
        with Node(data=self.data) as node:
            self.ids = fill(node, 20, "s")
            node.restart()  # brings the first twenty into a table
            self.ids += fill(node, 20, "w")
            node.kill()  # which leaves the second twenty in the log
        shutil.copytree(self.data, self.home / "good")

    def store_files(self, pattern):
        return sorted(path for path in self.data.rglob(pattern) if path.stat().st_size > 0)

    def flip(self, path, at):
        data = bytearray(path.read_bytes())
        data[at] ^= 0x5a
        path.write_bytes(data)

    def try_flipped(self, path, at):
        self.flip(path, at)
        node = Node(data=self.data)
        with contextlib.closing(node):
            node.start(ready=False)
            wait_until(lambda: node.ended() or node.is_ready(), "a start or an end")
            if not node.ended():
                self.assertEqual(missing(node, self.ids), [], f"served with less, after byte {at} of {path.name} was flipped")
                return "whole"
            log = node.log()
            self.assertGreater(node.process.returncode, 0, log)
            self.assertIn(str(self.data), log)
            self.assertNotIn("Sanitizer", log)
        return "refused"

    def restore(self):
        shutil.rmtree(self.data)
        shutil.copytree(self.home / "good", self.data)

    def put_right(self, path, at):
        """Only the byte, not what the attempt may have done beside it."""
        self.flip(path, at)
        with Node(data=self.data) as node:
            self.assertEqual(missing(node, self.ids), [], f"lost by the attempt on {path.name}")

    def test_flipped_bytes(self):
        chance = random.Random(2)
        outcomes = {}
        for pattern in ("*.sst", "MANIFEST-*", "CURRENT", "*.log", "*.blob"):
            for path in self.store_files(pattern):
                size = path.stat().st_size
                for at in sorted({0, size // 2, size - 1, *(chance.randrange(size) for _ in range(2))}):
                    with self.subTest(file=path.name, at=at, of=size):
                        outcome = self.try_flipped(path, at)
                        outcomes.setdefault(pattern, set()).add(outcome)
                        if outcome == "refused":
                            self.put_right(path, at)
                    self.restore()
        print(outcomes, flush=True)
        self.assertIn("refused", outcomes["*.sst"])
        self.assertIn("refused", outcomes["*.log"])
        self.assertIn("refused", outcomes["MANIFEST-*"])

    def test_a_missing_file(self):
        for pattern in ("*.sst", "MANIFEST-*", "CURRENT"):
            path = self.store_files(pattern)[0]
            path.unlink()
            with self.subTest(file=path.name):
                self.refuses(Node(data=self.data))
            self.restore()

    def test_a_torn_last_write_is_no_corruption(self):
        """What was being written when the machine stopped was never acknowledged."""
        with Node(data=self.data) as node:
            more = fill(node, 5, "t")
            node.kill()
        logs = sorted(self.store_files("*.log"), key=lambda path: path.stat().st_mtime)
        with open(logs[-1], "ab") as file:
            file.write(b"\x01\x02\x03")
        with Node(data=self.data) as node:
            self.assertEqual(missing(node, self.ids + more), [])


if __name__ == "__main__":
    main()
