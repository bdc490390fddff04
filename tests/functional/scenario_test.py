"""Runs tests/scenarios/*.scenario on a real node: straight through, and with a restart before each step.

The form of the files stands in tests/scenarios/README.md.
"""
import datetime
import json
import re
import unittest

from http_client import agent_path
from muster_node import Node, SOURCE_DIR, main, wait_until

SCENARIOS = SOURCE_DIR / "tests/scenarios"
INSTANT = re.compile(r"@([+-])(\d+)([smhd])$")
UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


class Step:
    def __init__(self, line, text):
        self.line = line
        text, _, expectation = text.partition("\n  => ")
        words = text.split(None, 1)
        self.verb = words[0]
        rest = words[1] if len(words) > 1 else ""
        self.id = self.argument = None
        if self.verb in ("register", "report", "get", "deregister", "events", "lapsed"):
            self.id, *rest = rest.split(None, 1)
            rest = rest[0] if rest else ""
        if self.verb == "list":
            self.argument = rest.strip()
        elif rest:
            self.argument = json.loads(rest)
        self.ids = self.status = self.body = None
        expectation = expectation.strip()
        if expectation.startswith("ids "):
            named = [id.strip() for id in expectation[4:].split(",")]
            self.status, self.ids = 200, [] if named == ["none"] else named
        elif expectation:
            status, *body = expectation.split(None, 1)
            self.status = int(status)
            self.body = json.loads(body[0]) if body else None
        elif self.verb != "lapsed":
            raise ValueError(f"line {line}: no expectation")


def read(path):
    steps, begun_at, lines = [], 0, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() + ["end"], 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            if lines:
                steps.append(Step(begun_at, "\n".join(lines)))
            begun_at, lines = number, []
        lines.append(line)
    return steps


class Run:
    """One scenario on one node, with the values that its names stand for."""

    def __init__(self, test, node):
        self.test, self.node, self.names = test, node, {}

    def fill(self, value):
        """A request with its names and instants filled in."""
        if isinstance(value, dict):
            return {key: self.fill(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.fill(part) for part in value]
        if isinstance(value, str) and value.startswith("$"):
            return self.names[value]
        instant = INSTANT.match(value) if isinstance(value, str) else None
        if instant:
            sign, amount, unit = instant.groups()
            span = datetime.timedelta(**{UNITS[unit]: int(sign + amount)})
            return (datetime.datetime.now(datetime.timezone.utc) + span).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        return value

    def holds(self, wanted, found, where):
        """`wanted` is in `found`; names take their values."""
        test = self.test
        if isinstance(wanted, str) and wanted.startswith("$"):
            test.assertEqual(self.names.setdefault(wanted, found), found, where)
        elif isinstance(wanted, dict):
            test.assertIsInstance(found, dict, where)
            if not wanted:
                test.assertEqual(found, {}, where)
            for key, part in wanted.items():
                test.assertIn(key, found, where)
                self.holds(part, found[key], f"{where}/{key}")
        elif isinstance(wanted, list):
            test.assertIsInstance(found, list, where)
            test.assertEqual(len(found), len(wanted), f"{where}: {found}")
            for at, part in enumerate(wanted):
                self.holds(part, found[at], f"{where}/{at}")
        else:
            test.assertEqual(found, wanted, where)

    def send(self, connection, step):
        body = self.fill(step.argument)
        if step.verb == "list":
            query = re.sub(r"\$\w+", lambda name: str(self.names[name.group()]), step.argument)
            return connection.get("/v1/agents" + ("?" + query if query else ""))
        if step.verb == "events":
            return connection.get(agent_path(step.id) + "/events")
        return {"register": lambda: connection.register(step.id, body),
                "report": lambda: connection.report(step.id, body, "?ack=durable"),
                "get": lambda: connection.agent(step.id),
                "deregister": lambda: connection.deregister(step.id),
                "discover": lambda: connection.discover(body),
                "upload": lambda: connection.upload(body, "?ack=durable")}[step.verb]()

    def step(self, step, where):
        with self.node.connect() as connection:
            if step.verb == "lapsed":
                wait_until(lambda: connection.agent(step.id).json()["lapsed"], f"{where}: the lease to run out")
                return
            response = self.send(connection, step)
        self.test.assertEqual(response.status, step.status, f"{where}: {response}")
        if step.ids is not None:
            self.test.assertEqual([row["id"] for row in response.json()["agents"]], step.ids, where)
        if step.body is not None:
            self.holds(step.body, response.json(), where)


class Scenarios(unittest.TestCase):
    pass


def run(path, restarts):
    def test(self):
        with Node() as node:
            scenario = Run(self, node)
            lapsed = False
            for step in read(path):
                # A restart begins every lease anew, so what has lapsed must be looked at without one.
                if restarts and not lapsed:
                    node.restart()
                lapsed = lapsed or step.verb == "lapsed"
                scenario.step(step, f"{path.name}:{step.line}")
            self.assertEqual(node.stop(), 0, node.log())
    return test


for file in sorted(SCENARIOS.glob("*.scenario")):
    setattr(Scenarios, f"test_{file.stem}", run(file, restarts=False))
    setattr(Scenarios, f"test_{file.stem}_with_restarts", run(file, restarts=True))


if __name__ == "__main__":
    main()
