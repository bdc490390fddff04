"""Every route, field and status code of the contract, seen on a real node.

Each exchange of every functional test is held against src/api/openapi.json (contract.py). This one makes
sure that the document promises nothing that was never seen: it drives every documented status of every
call, and every member of every schema.
"""
import json
import os
import tempfile
import unittest

from http_client import Closed, card, encode
from muster_node import Node, SOURCE_DIR, fill_up, main, small_disk, wait_until

TOKENS = "".join(f"{scope} {scope} {scope}-token-0123456789\n" for scope in ("read", "report", "register", "admin"))
CARD = {"name": "Whole", "description": "d", "url": "https://whole.example", "skills": [{"id": "translate", "name": "T"}]}
REGISTRATION = {"card": CARD, "labels": {"region": "eu"}, "lease": "1h", "max_age": {"load": "1h"}, "states": {
    "room": {"type": "number", "kind": "replaceable", "max_age": "5s", "minimum": 0, "maximum": 10, "critical": True},
    "colour": {"type": "string", "allowed": ["red", "green"]},
    "requests": {"kind": "counter"}, "incidents": {"kind": "event"}}}
REPORT = {"sequence": 1, "generated_at": "2026-01-01T00:00:00.5Z",
          "states": {"load": 0.5, "colour": "red", "location": {"latitude": 52.5, "longitude": 13.4}},
          "counters": {"requests": 1}, "events": [{"name": "incidents", "data": {"any": ["thing", None]}}]}
NEAR = {"latitude": 52.5, "longitude": 13.4, "radius": 1000}
QUERY = {"filter": "load < 0.7", "near": NEAR, "rank": {"load": -1}, "limit": 5, "fields": ["url"], "deadline": "10s",
         "hard_deadline": False, "critical": False, "freshness": "any", "max_age": {"load": "1h"}, "include_lapsed": True,
         "count_total": True}
# By operation: a request that succeeds, on an agent `a` that is there.
GOOD = {
    "listAgents": ("GET", "/v1/agents?filter=load%3C0.7&order_by=load&page_size=2&fields=url&include_lapsed=true", None),
    "getAgent": ("GET", "/v1/agents/a", None),
    "registerAgent": ("PUT", "/v1/agents/a?ack=durable", REGISTRATION),
    "deregisterAgent": ("DELETE", "/v1/agents/a?ack=durable", None),
    "report": ("POST", "/v1/agents/a/reports?ack=applied", REPORT),
    "listEvents": ("GET", "/v1/agents/a/events?page_size=5", None),
    "uploadReports": ("POST", "/v1/reports?ack=applied", b'{"id":"a","states":{"load":0.25}}\n'),
    "discoverAgents": ("POST", "/v1/agents:discover", QUERY),
    "getScheduler": ("GET", "/v1/scheduler", None),
    "configureScheduler": ("PATCH", "/v1/scheduler", {"update_share": 0.5}),
    "getMetrics": ("GET", "/metrics", None),
    "getLive": ("GET", "/livez", None),
    "getReady": ("GET", "/readyz", None),
    "getOpenApi": ("GET", "/openapi.json", None),
}


def with_id(target, id):
    return target.replace("/v1/agents/a", "/v1/agents/" + id)


class Coverage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        handle, cls.tokens = tempfile.mkstemp(prefix="muster-tokens-")
        with os.fdopen(handle, "w") as file:
            file.write(TOKENS)
        cls.addClassCleanup(os.unlink, cls.tokens)
        cls.contract = Node.contract
        cls.operations = {operation["operationId"]: (template, operation)
                          for _, template, _, operation in cls.contract.operations()}

    def start(self, config, **more):
        node = Node("--token-file", self.tokens, config=config, token="admin-token-0123456789", **more)
        self.addCleanup(node.close)
        node.start()
        return node

    def ask(self, connection, id, status, target=None, body=None, headers=None):
        """The operation's good request, with these parts of it otherwise, must give `status`."""
        method, good_target, good_body = GOOD[id]
        fields = {"Content-Type": "application/x-ndjson"} if id == "uploadReports" else {}
        response = connection.request(method, target or good_target, good_body if body is None else body,
                                      {**fields, **(headers or {})})
        with self.subTest(operation=id, status=status):
            self.assertEqual(response.status, status, response)
        return response

    def having(self, status):
        """The operations that document `status`."""
        return [id for id, (_, operation) in self.operations.items() if str(status) in operation["responses"]]

    def test_all_of_it(self):
        self.assertEqual(set(GOOD), set(self.operations))
        node = self.start("[limits]\nagents_max = 6\n")
        with node.connect() as connection:
            self.successes(connection)
            self.refused_by_head(connection)
            self.refused_by_agent(connection)
            self.refused_by_body(connection)
            self.too_late(connection)
            self.overloaded(connection)
            self.reallocated(connection)
            self.full(connection)
        exempt = self.full_disk()
        self.no_connection_left(self.start("[http]\nconnections_max = 1\n"))
        missing = sorted(self.contract.documented() - self.contract.exercised - exempt)
        self.assertEqual(missing, [], "documented, but never seen")
        fields = sorted(self.contract.documented_fields() - self.contract.fields_seen)
        self.assertEqual(fields, [], "documented, but never seen")

    def successes(self, connection):
        self.ask(connection, "registerAgent", 201)
        self.ask(connection, "registerAgent", 200)
        tag = connection.agent("a").headers["etag"]
        self.ask(connection, "registerAgent", 200, body={**REGISTRATION, "lease": "2h"}, headers={"If-Match": tag})
        incarnation = connection.agent("a").json()["incarnation"]
        for status, superseded in (("applied", []), ("duplicate", ["colour", "load", "location"])):
            answer = self.ask(connection, "report", 200, body={"incarnation": incarnation, **REPORT}).json()
            self.assertEqual((answer["status"], sorted(answer["superseded"])), (status, superseded))
        answer = self.ask(connection, "report", 200, body={key: REPORT[key] for key in ("generated_at", "states")}).json()
        self.assertEqual(answer["status"], "superseded")
        answer = self.ask(connection, "report", 202, target="/v1/agents/a/reports?ack=queued", body={"states": {"load": 0.5}}).json()
        self.assertEqual(answer["status"], "queued")
        connection.register("b", {**REGISTRATION, "lease": "10ms"})
        connection.register("c", REGISTRATION)
        connection.report("c", {"states": {"load": 0.5}})
        page = self.ask(connection, "listAgents", 200, target="/v1/agents?page_size=1&filter=load%3C0.9&order_by=load&fields=url").json()
        self.ask(connection, "listAgents", 200, target="/v1/agents?page_size=1&filter=load%3C0.9&order_by=load&page_token=" +
                 page["next_page_token"])
        while not connection.agent("b").json()["lapsed"]:
            pass
        for id in GOOD:
            if id not in ("registerAgent", "deregisterAgent", "report"):
                self.ask(connection, id, 200, headers=None if "Deadline" not in json.dumps(self.operations[id]) else
                         {"Muster-Deadline": "20s"})
        self.ask(connection, "listAgents", 200, target="/v1/agents?include_lapsed=true")
        self.ask(connection, "discoverAgents", 200, body={"include_lapsed": True, "order_by": "id"})
        connection.report("a", {"events": [{"name": "incidents", "data": 2}]})
        page = self.ask(connection, "listEvents", 200, target="/v1/agents/a/events?page_size=1").json()
        self.ask(connection, "listEvents", 200, target="/v1/agents/a/events?page_token=" + page["next_page_token"])
        self.ask(connection, "uploadReports", 200, body=b'{"id":"a","states":{"load":7}}\n{"id":"nobody","states":{"load":0}}')
        scheduler = self.ask(connection, "getScheduler", 200).json()
        options = {name: value for name, value in scheduler["options"].items() if name != "workers"}
        self.ask(connection, "configureScheduler", 200, body=options)
        self.assertEqual(self.ask(connection, "getOpenApi", 200).json(), json.loads((SOURCE_DIR / "src/api/openapi.json").read_text()))

    def refused_by_head(self, connection):
        for id in GOOD:
            target = GOOD[id][1]
            self.ask(connection, id, 400, target=target + ("&" if "?" in target else "?") + "colour=red")
        for id in self.having(406):
            self.ask(connection, id, 406, headers={"Accept": "image/png"})
        for id in self.having(401):
            self.ask(connection, id, 401, headers={"Authorization": None})
        for id in self.having(403):
            other = "read" if self.operations[id][1]["x-scope"] != "read" else "report"
            self.ask(connection, id, 403, headers={"Authorization": f"Bearer {other}-token-0123456789"})
        self.assertEqual({id for id, (_, operation) in self.operations.items() if operation["security"] == []},
                         {"getLive", "getReady", "getOpenApi"})

    def refused_by_agent(self, connection):
        for id in self.having(404):
            self.ask(connection, id, 404, target=with_id(GOOD[id][1], "nobody"))
        connection.register("gone")
        connection.deregister("gone")
        for id in self.having(410):
            self.ask(connection, id, 410, target=with_id(GOOD[id][1], "gone"))
        for id in self.having(412):
            self.ask(connection, id, 412, headers={"If-Match": '"999999"'})
        conflicts = {"registerAgent": card("x", states={"load": {"type": "string"}}), "report": {"incarnation": 999999}}
        self.assertEqual(set(self.having(409)), set(conflicts))
        for id, body in conflicts.items():
            self.ask(connection, id, 409, body=body)

    def refused_by_body(self, connection):
        for id in self.having(413):
            self.ask(connection, id, 413, body=card("x" * 1_000_000) if id == "registerAgent" else b" " * 1_048_577)
            connection.reopen()  # the node closes one whose body it won't read
        for id in self.having(415):
            self.ask(connection, id, 415, headers={"Content-Type": "text/plain"})

    def too_late(self, connection):
        for id in self.having(504):
            self.ask(connection, id, 504, headers={"Muster-Deadline": "1ns"})

    def overloaded(self, connection):
        """A burst on one connection, into queues that hold one task."""
        narrow = {"updates": {"tasks_max": 1}, "queries": {"tasks_max": 1}}
        wide = {"updates": {"tasks_max": 1000}, "queries": {"tasks_max": 1000}}
        for id in self.having(429):
            with self.subTest(operation=id):
                self.assertEqual(connection.request("PATCH", "/v1/scheduler", narrow).status, 200)
                method, target, body = GOOD[id]
                requests = []
                for i in range(60):
                    # Registrations of one agent wait for each other, and reports of one are merged.
                    at = with_id(target, ("a", "b", "c")[i % 3])
                    requests.append((at, *encode(method, at, body, None, connection.token)))
                if id == "deregisterAgent":
                    requests = [(with_id(target, f"x{i}"), *encode(method, with_id(target, f"x{i}"), body, None, connection.token))
                                for i in range(60)]
                connection.send(b"".join(data for _, data, _ in requests))
                statuses = set()
                for at, _, fields in requests:
                    response = connection.read_response()
                    self.contract.check(method, at, fields, body, response)
                    statuses.add(response.status)
                self.assertIn(429, statuses)
                self.assertEqual(connection.request("PATCH", "/v1/scheduler", wide).status, 200)
        self.assertEqual(connection.request("PATCH", "/v1/scheduler", narrow).status, 200)
        answer = self.ask(connection, "uploadReports", 200, body=b'{"id":"a","states":{"load":0.5}}\n'
                          b'{"id":"b","states":{"load":0.5}}\n{"id":"c","states":{"load":0.5}}\n' * 50)
        self.assertIn("retry-after", answer.headers)
        self.assertIn(429, [error["status"] for error in answer.json()["errors"]])
        self.assertEqual(connection.request("PATCH", "/v1/scheduler", wide).status, 200)

    def reallocated(self, connection):
        """The joint policy moves Workers when the load goes from one queue to the other."""
        eager = {"policy": "joint", "joint": {"hysteresis": 0.001, "holding_time": "1ms", "holding_work": "0s", "damping": 1}}
        self.ask(connection, "configureScheduler", 200, body=eager)
        reports = encode("POST", "/v1/agents/a/reports", {"states": {"load": 0.5}}, None, connection.token)[0] * 50
        queries = encode("POST", "/v1/agents:discover", {"order_by": "load"}, None, connection.token)[0] * 50

        def moved():
            for burst in (reports, queries):
                connection.send(burst)
                for _ in range(50):
                    connection.read_response()
            return self.ask(connection, "getScheduler", 200).json()["reallocations"]["recent"]

        wait_until(moved, "a reallocation")

    def full(self, connection):
        """As many agents as there may be."""
        for i in range(4):
            connection.register(f"more{i}")
        self.ask(connection, "registerAgent", 507, target="/v1/agents/toomany")

    def full_disk(self):
        """What can't be seen where mounting a small disk is not permitted."""
        place = small_disk(self, "64m")
        if place is None:
            return {("POST", "/v1/agents/{id}/reports", 507), ("DELETE", "/v1/agents/{id}", 507)}
        node = self.start("", data=place / "data")
        with node.connect() as connection:
            self.ask(connection, "registerAgent", 201)
            fill_up(place)
            for i in range(1000):
                if connection.register(f"big{i}", card("x" * 100_000)).status == 507:
                    break
            self.ask(connection, "report", 507, target="/v1/agents/a/reports?ack=durable", body={"states": {"load": 0.75}})
            self.ask(connection, "deregisterAgent", 507)
        return set()

    def no_connection_left(self, node):
        with node.connect() as first:
            while first.get("/livez").status != 200:  # the one that asked for readiness is going still
                first.reopen()
            for id in self.having(503):
                with self.subTest(operation=id):
                    method, target, body = GOOD[id]
                    with node.connect() as connection:
                        data, fields = encode(method, target, body, None, node.token)
                        try:
                            connection.send(data)
                            response = connection.read_response()
                        except (Closed, ConnectionError) as error:
                            self.fail(f"closed without an answer: {error}")
                        self.assertEqual(response.status, 503)
                        self.contract.check(method, target, fields, body, response)


class TheDocumentItself(unittest.TestCase):
    def test_every_reference_leads_somewhere_and_every_component_is_used(self):
        document = Node.contract.document
        used = set()

        def visit(node):
            if isinstance(node, dict):
                if "$ref" in node:
                    Node.contract.resolve(node, "")
                    used.add(node["$ref"])
                for part in node.values():
                    visit(part)
            elif isinstance(node, list):
                for part in node:
                    visit(part)

        visit(document)
        there = {f"#/components/{kind}/{name}" for kind in ("schemas", "responses", "parameters", "headers")
                 for name in document["components"][kind]}
        self.assertEqual(there - used, set())


if __name__ == "__main__":
    main()
