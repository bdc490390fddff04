"""The metrics pass Prometheus's own check, and count what happens."""
import os
import re
import shutil
import subprocess

from http_client import card
from muster_node import NodeTest, SOURCE_DIR, main


def promtool():
    beside = SOURCE_DIR / "build/tools/promtool"
    return shutil.which("promtool") or (str(beside) if os.access(beside, os.X_OK) else None)


def samples(text):
    """{name{labels}: value}"""
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            key, value = line.rsplit(" ", 1)
            assert key not in found, f"twice: {key}"
            found[key] = float(value)
    return found


class Metrics(NodeTest):
    def page(self):
        response = self.connection.get("/metrics")
        self.assertEqual(response.status, 200)
        self.assertTrue(response.headers["content-type"].startswith("text/plain; version=0.0.4"))
        return response.body.decode()

    def work(self):
        self.expect(self.connection.register("a", card("A")), 201)
        self.expect(self.connection.register("a", card("A")), 200)
        for _ in range(5):
            self.expect(self.connection.report("a", {"states": {"load": 0.5}}, "?ack=durable"), 200)
        for _ in range(3):
            self.expect(self.connection.discover({}), 200)
        self.expect_problem(self.connection.agent("nobody"), 404)
        self.expect(self.connection.upload([{"id": "a", "states": {"load": 0.1}}]), 200)
        self.expect(self.connection.register("b"), 201)
        self.expect(self.connection.deregister("b"), 200)

    def test_promtool(self):
        tool = promtool()
        self.assertIsNotNone(tool, "promtool is missing: `make deps` brings it")
        for page in (self.page(), (self.work(), self.page())[1]):
            done = subprocess.run([tool, "check", "metrics"], input=page, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_they_count_what_happens(self):
        before = samples(self.page())
        self.work()
        after = samples(self.page())
        self.assertLessEqual(set(before), set(after), "a series has gone")
        moved = {name for name, value in after.items() if value != before.get(name)}
        for word in ("registration", "report", "request", "journal", "agents", "revision"):
            self.assertTrue(any(word in name for name in moved), f"nothing about {word}s has moved: {sorted(moved)}")
        falling = {name for name in moved if re.search(r"_(total|count|sum|bucket)\b", name) and after[name] < before.get(name, 0)}
        self.assertEqual(falling, set())
        self.assertEqual(after["muster_agents"], 1)

    def test_every_metric_begins_with_the_program_s_name_and_is_explained(self):
        page = self.page()
        names = {re.split(r"[{ ]", key)[0] for key in samples(page)}
        helped = set(re.findall(r"^# HELP (\w+) .+$", page, re.MULTILINE))
        for name in names:
            self.assertRegex(name, "^(muster|process)_")
            self.assertTrue({name, re.sub(r"_(bucket|sum|count)$", "", name)} & helped, name)


if __name__ == "__main__":
    main()
