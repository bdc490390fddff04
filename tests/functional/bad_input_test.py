"""Bad input: each gets its documented error, nothing changes, and the node goes on."""
import datetime
import json
import threading

from http_client import Connection, agent_path, card, encode
from muster_node import NodeTest, main

DEEP = 100_000


def instant(**ahead):
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**ahead)
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def without_ages(agent):
    """What a read must give again if nothing has changed."""
    states = {name: {key: value for key, value in state.items() if key not in ("age", "freshness")}
              for name, state in agent["states"].items()}
    return {**agent, "states": states}


class BadInput(NodeTest):
    """Each test makes its attempts between two looks at all that is there."""

    def setUp(self):
        super().setUp()
        self.expect(self.connection.register("a", {
            "card": {"name": "A", "skills": [{"id": "translate"}]}, "labels": {"region": "eu"},
            "states": {"flag": {"type": "bool"}, "incidents": {"kind": "event"}, "requests": {"kind": "counter"}}}), 201)
        self.watch = self.node.connect()
        self.addCleanup(self.watch.close)
        self.expect(self.connection.report("a", {
            "sequence": 5, "states": {"load": 0.25, "availability": "ready"}, "counters": {"requests": 2},
            "events": [{"name": "incidents", "data": {"n": 1}}]}), 200)

    def look(self):
        agent = self.watch.agent("a")
        return (without_ages(self.expect(agent, 200)), agent.revision,
                self.expect(self.watch.get("/v1/agents/a/events"), 200),
                [row["id"] for row in self.expect(self.watch.get("/v1/agents?page_size=100"), 200)["agents"]])

    def refused(self, send, status, *words, pointer=None):
        """`send()` gets the problem, and everything is as before."""
        before = self.look()
        response = send()
        problem = self.expect_problem(response, status, *words, pointer=pointer)
        self.assertEqual(self.look(), before)
        if response.headers.get("connection") == "close":
            self.connection.reopen()
        return problem

    def every_body(self, body, status, *words):
        """The same body to each call that takes JSON."""
        for method, path in (("PUT", "/v1/agents/b"), ("PUT", "/v1/agents/a"), ("POST", "/v1/agents/a/reports"),
                             ("POST", "/v1/agents:discover"), ("PATCH", "/v1/scheduler")):
            with self.subTest(path=path, body=body[:60]):
                self.refused(lambda: self.connection.request(method, path, body), status, *words)


class MalformedJson(BadInput):
    def test_no_json_and_not_an_object(self):
        for body in (b"", b" ", b"hello", b"{", b"}", b"[]", b"3", b"null", b'"text"', b"{'a':1}", b"{\"a\":1,}",
                     b"{\"card\":{\"name\":\"x\"}} trailing", b"{\"card\" {\"name\":\"x\"}}", b"\xef\xbb\xbf"):
            self.every_body(body, 400)

    def test_truncated_anywhere(self):
        whole = json.dumps({"card": {"name": "A2", "tags": ["x"]}, "labels": {"k": "v\u00e9"}}).encode()
        for cut in range(1, len(whole) - 1, 3):
            self.refused(lambda: self.connection.register("a", whole[:cut]), 400)
        whole = b'{"sequence":9,"states":{"load":0.5},"counters":{"requests":1}}'
        for cut in range(1, len(whole) - 1, 3):
            self.refused(lambda: self.connection.report("a", whole[:cut]), 400)

    def test_a_hundred_thousand_brackets(self):
        for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
            deep = opening * DEEP + (b"1" if closing == b"}" else b"") + closing * DEEP
            with self.subTest(opening=opening):
                for send in (lambda: self.connection.register("a", b'{"card":{"name":"A","x":' + deep + b"}}"),
                             lambda: self.connection.discover(b'{"rank":' + deep + b"}"),
                             lambda: self.connection.register("a", deep)):
                    before = self.look()
                    self.assertIn(send().status, (400, 413))
                    self.assertEqual(self.look(), before)
                # A report has a limit of its own on its size, which this passes.
                self.refused(lambda: self.connection.report("a", deep), 413)
                shallower = opening * 5000 + closing * 5000 if closing == b"]" else b'{"a":' * 5000 + b"1" + b"}" * 5000
                self.refused(lambda: self.connection.report("a", b'{"states":' + shallower + b"}"), 400)
                self.refused(lambda: self.connection.report(
                    "a", b'{"events":[{"name":"incidents","data":' + opening * 1000 + b"1" + closing * 1000 + b"}]}"), 400)

    def test_duplicate_keys(self):
        self.refused(lambda: self.connection.register("a", b'{"card":{"name":"x"},"card":{"name":"y"}}'), 400)
        self.refused(lambda: self.connection.register("a", b'{"card":{"name":"x"},"labels":{"k":"1","k":"2"}}'), 400)
        self.refused(lambda: self.connection.report("a", b'{"states":{"load":0.1,"load":0.9}}'), 400)
        self.refused(lambda: self.connection.report("a", b'{"states":{"load":0.1},"states":{"load":0.9}}'), 400)
        self.refused(lambda: self.connection.report("a", b'{"counters":{"requests":1,"requests":1}}'), 400)
        self.refused(lambda: self.connection.discover(b'{"limit":1,"limit":2}'), 400)
        # The same key in other clothes is the same key.
        self.refused(lambda: self.connection.report("a", b'{"states":{"load":0.1,"lo\\u0061d":0.9}}'), 400)

    def test_unknown_members(self):
        self.refused(lambda: self.connection.register("a", card("x", colour="red")), 400, pointer="/colour")
        self.refused(lambda: self.connection.report("a", {"states": {"load": 0.1}, "colour": 1}), 400, pointer="/colour")
        self.refused(lambda: self.connection.discover({"colour": "red"}), 400, pointer="/colour")
        self.refused(lambda: self.connection.request("PATCH", "/v1/scheduler", {"colour": 1}), 400, pointer="/colour")


class Text(BadInput):
    def test_bad_utf8(self):
        for bad in (b"\xff", b"\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80"):
            self.every_body(b'{"card":{"name":"' + bad + b'"}}', 400)
            self.refused(lambda: self.connection.report("a", b'{"states":{"availability":"' + bad + b'"}}'), 400)
            quoted = "".join(f"%{byte:02X}" for byte in bad)
            self.refused(lambda: self.connection.request("PUT", "/v1/agents/" + quoted, card("x")), 400)
            self.refused(lambda: self.connection.get("/v1/agents?filter=" + quoted), 400)

    def test_lone_surrogates(self):
        for bad in (b"\\ud800", b"\\udc00", b"\\ud800\\u0041", b"\\udc00\\ud800"):
            self.refused(lambda: self.connection.register("a", b'{"card":{"name":"' + bad + b'"}}'), 400)
            self.refused(lambda: self.connection.register("a", b'{"card":{"name":"x","y":"' + bad + b'"}}'), 400)
            self.refused(lambda: self.connection.register("a", b'{"card":{"name":"x"},"labels":{"k":"' + bad + b'"}}'), 400)
            self.refused(lambda: self.connection.discover(b'{"filter":"name = \\"' + bad + b'\\""}'), 400)
            self.refused(lambda: self.connection.report(
                "a", b'{"events":[{"name":"incidents","data":"' + bad + b'"}]}'), 400)

    def test_nul_and_controls(self):
        self.every_body(b"\0", 400)
        self.every_body(b'{"card":{"name":"x\0y"}}', 400)
        for id in ("%00", "a%00b", "a%0Ab", "a%7Fb"):
            self.refused(lambda: self.connection.request("PUT", "/v1/agents/" + id, card("x")), 400)
        self.refused(lambda: self.connection.request("GET", "/v1/agents/a\0"), 400)


class Numbers(BadInput):
    def test_no_numbers(self):
        for bad in (b"NaN", b"nan", b"Infinity", b"-Infinity", b"+1", b"01", b".5", b"1.", b"0x1", b"1e", b"--1", b"1_000"):
            self.refused(lambda: self.connection.report("a", b'{"states":{"latency":' + bad + b"}}"), 400)
            self.refused(lambda: self.connection.register("a", b'{"card":{"name":"x","n":' + bad + b"}}"), 400)
            self.refused(lambda: self.connection.discover(b'{"rank":{"load":' + bad + b"}}"), 400)

    def test_beyond_the_largest(self):
        for bad in (b"1e999", b"-1e999", b"1e309", b"9" * 400):
            self.refused(lambda: self.connection.report("a", b'{"states":{"latency":' + bad + b"}}"), 400)
            self.refused(lambda: self.connection.report("a", b'{"counters":{"requests":' + bad + b"}}"), 400)
            self.refused(lambda: self.connection.discover(b'{"rank":{"load":' + bad + b"}}"), 400)
            self.refused(lambda: self.connection.report("a", b'{"sequence":' + bad + b"}"), 400)

    def test_minus_zero_is_zero(self):
        self.expect(self.connection.report("a", b'{"states":{"load":-0.0}}'), 200)
        self.assertEqual(self.expect(self.connection.agent("a"), 200)["states"]["load"]["value"], 0)
        for filter in ("load = 0", "load = -0", "load >= 0", "load <= -0.0"):
            found = self.expect(self.connection.discover({"filter": filter}), 200)
            self.assertEqual([row["id"] for row in found["agents"]], ["a"], filter)

    def test_beyond_two_to_the_53rd(self):
        # Sequences and cards are exact; a state is a double.
        for sequence in (2**53, 2**53 + 1, 2**63, 2**64 - 1):
            self.expect(self.connection.report("a", {"sequence": sequence, "counters": {"requests": 1}}), 200,
                        status="applied")
            self.expect(self.connection.report("a", {"sequence": sequence, "counters": {"requests": 1}}), 200,
                        status="duplicate")
        self.refused(lambda: self.connection.report("a", {"sequence": 2**64}), 400, pointer="/sequence")
        self.refused(lambda: self.connection.report("a", {"sequence": -1}), 400, pointer="/sequence")
        self.refused(lambda: self.connection.report("a", {"sequence": 1.5}), 400, pointer="/sequence")
        self.refused(lambda: self.connection.report("a", {"incarnation": 2**64}), 400, pointer="/incarnation")
        self.expect(self.connection.register("n", b'{"card":{"name":"n","big":9007199254740993123456789,"small":1e-999}}'), 201)
        self.assertIn(b'"big":9007199254740993123456789,"small":1e-999', self.connection.agent("n").body)
        self.expect(self.connection.report("a", b'{"states":{"queue_depth":9007199254740993}}'), 200)
        self.assertEqual(self.expect(self.connection.agent("a"), 200)["states"]["queue_depth"]["value"], 2.0**53)


class States(BadInput):
    def test_unknown_state_wrong_type_out_of_range(self):
        for states, pointer in (({"lode": 0.1}, "/states/lode"), ({"load": "0.1"}, "/states/load"),
                                ({"load": None}, "/states/load"), ({"load": [0.1]}, "/states/load"),
                                ({"load": True}, "/states/load"), ({"load": 1.01}, "/states/load"),
                                ({"load": -0.01}, "/states/load"), ({"availability": 1}, "/states/availability"),
                                ({"availability": "Ready"}, "/states/availability"),
                                ({"flag": "true"}, "/states/flag"), ({"flag": 1}, "/states/flag"),
                                ({"success_rate": 2}, "/states/success_rate"), ({"latency": -1}, "/states/latency"),
                                ({"requests": 1}, "/states/requests"), ({"incidents": 1}, "/states/incidents"),
                                ({"a/b~c": 1}, "/states/a~1b~0c")):
            with self.subTest(states=states):
                # Whole: the good value beside the bad one is not taken either.
                self.refused(lambda: self.connection.report("a", {"states": {"cost": 3, **states}}), 400, pointer=pointer)
        for report in ({"states": []}, {"states": 1}, {"counters": {"load": 1}}, {"counters": {"requests": "1"}},
                       {"counters": {"nothing": 1}}, {"events": {}}, {"events": [1]}, {"events": [{"name": "load", "data": 1}]},
                       {"events": [{"data": 1}]}, {"events": [{"name": "nothing", "data": 1}]}):
            with self.subTest(report=report):
                self.refused(lambda: self.connection.report("a", report), 400)

    def test_locations(self):
        for location in ({}, {"latitude": 1}, {"latitude": 91, "longitude": 0}, {"latitude": 0, "longitude": 181},
                         {"latitude": "1", "longitude": 0}, {"latitude": 0, "longitude": 0, "height": 3}, [1, 2], "here"):
            self.refused(lambda: self.connection.report("a", {"states": {"location": location}}), 400)

    def test_a_declaration_that_contradicts(self):
        for states, status in (({"flag": {"type": "number"}}, 409), ({"load": {"type": "string"}}, 409),
                               ({"Flag2": {}}, 400), ({"": {}}, 400), ({"x": {"type": "colour"}}, 400),
                               ({"x": {"kind": "colour"}}, 400), ({"x": {"minimum": 2, "maximum": 1}}, 400),
                               ({"x": {"max_age": "soon"}}, 400), ({"x": {"max_age": "-1s"}}, 400), ({"x": {"colour": 1}}, 400),
                               ({"x": 1}, 400), ([], 400), ({"y" * 65: {}}, 400)):
            with self.subTest(states=states):
                self.refused(lambda: self.connection.register("b", card("b", states=states)), status)
        self.refused(lambda: self.connection.register("b", card("b", max_age={"nothing": "1s"})), 400)

    def test_too_many_of_anything(self):
        self.refused(lambda: self.connection.register("b", card("b", labels={f"k{i}": "v" for i in range(65)})), 400)
        self.refused(lambda: self.connection.register("b", card("b", labels={"k": "v" * 257})), 400)
        self.refused(lambda: self.connection.register("b", card("b", labels={"k" * 257: "v"})), 400)
        self.refused(lambda: self.connection.report("a", {"states": {f"s{i}": 1 for i in range(65)}}), 400)
        self.refused(lambda: self.connection.report(
            "a", {"events": [{"name": "incidents", "data": i} for i in range(65)]}), 400, pointer="/events")
        self.refused(lambda: self.connection.report("a", {"events": [{"name": "incidents", "data": "x" * 20_000}]}), 400,
                     pointer="/events/0/data")
        self.refused(lambda: self.connection.report("a", {"states": {"load": 0.5}, "events": [
            {"name": "incidents", "data": "x" * 10_000} for _ in range(8)]}), 413)

    def test_bad_registrations(self):
        for body in ({}, {"card": {}}, {"card": {"name": ""}}, {"card": {"name": 3}}, {"card": []}, {"card": "x"},
                     card("x", labels=[]), card("x", labels={"k": 1}), card("x", lease="0s"), card("x", lease="-5s"),
                     card("x", lease=5), card("x", lease="soon"), card("x", lease="1000000h"), card("x", max_age={"load": 5}),
                     card("x", max_age={"load": "0s"})):
            with self.subTest(body=body):
                self.refused(lambda: self.connection.register("a", body), 400)
        for id in ("", "x" * 257):
            with self.subTest(id=id[:10]):
                self.assertIn(self.connection.register(id, card("x"), check=False).status, (400, 404, 413))


class Clocks(BadInput):
    def test_a_day_ahead(self):
        self.refused(lambda: self.connection.report("a", {"generated_at": instant(days=1), "states": {"load": 0.9}}), 400,
                     pointer="/generated_at")

    def test_a_little_ahead_is_skew(self):
        self.expect(self.connection.report("a", {"generated_at": instant(seconds=2), "states": {"load": 0.9}}), 200,
                    status="applied")

    def test_a_day_behind(self):
        answer = self.connection.report("a", {"generated_at": instant(days=-1), "states": {"load": 0.9, "cost": 7}})
        self.expect(answer, 200, status="applied", superseded=["load"])
        states = self.expect(self.connection.agent("a"), 200)["states"]
        self.assertEqual(states["load"]["value"], 0.25)
        self.assertEqual(states["cost"]["value"], 7)
        self.assertGreater(states["cost"]["freshness"], 100)

    def test_no_instants(self):
        for bad in ("yesterday", "", 0, None, "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z",
                    "2026-02-30T00:00:00Z", "1500-01-01T00:00:00Z", "9999-01-01T00:00:00Z"):
            self.refused(lambda: self.connection.report("a", {"generated_at": bad, "states": {"load": 0.9}}), 400,
                         pointer="/generated_at")


class Order(BadInput):
    def test_out_of_order(self):
        at = [instant(seconds=-20 + i) for i in range(5)]
        for i in (2, 0, 4, 1, 3):
            self.expect(self.connection.report("a", {"generated_at": at[i], "states": {"cost": i}}), 200,
                        status="applied" if i in (2, 4) else "superseded")
        self.assertEqual(self.expect(self.connection.agent("a"), 200)["states"]["cost"]["value"], 4)

    def test_a_superseded_report_keeps_its_counters_and_events(self):
        self.expect(self.connection.report("a", {
            "generated_at": instant(hours=-1), "sequence": 6, "states": {"load": 0.9}, "counters": {"requests": 5},
            "events": [{"name": "incidents", "data": {"n": 2}}]}), 200, superseded=["load"], status="applied")
        self.assertEqual(self.expect(self.connection.agent("a"), 200)["states"]["requests"]["value"], 7)
        events = self.expect(self.connection.get("/v1/agents/a/events"), 200)["events"]
        self.assertEqual([event["data"] for event in events], [{"n": 1}, {"n": 2}])

    def test_duplicated(self):
        report = {"sequence": 6, "counters": {"requests": 5}, "events": [{"name": "incidents", "data": {"n": 2}}]}
        self.expect(self.connection.report("a", report), 200, status="applied")
        for _ in range(3):
            self.expect(self.connection.report("a", report), 200, status="duplicate")
        self.assertEqual(self.expect(self.connection.agent("a"), 200)["states"]["requests"]["value"], 7)
        self.assertEqual(len(self.expect(self.connection.get("/v1/agents/a/events"), 200)["events"]), 2)

    def test_for_an_agent_that_is_unknown_removed_or_registered_anew(self):
        self.refused(lambda: self.connection.report("nobody", {"states": {"load": 0.1}}), 404, "nobody")
        self.expect(self.connection.register("g"), 201)
        old = self.expect(self.connection.agent("g"), 200)["incarnation"]
        self.expect(self.connection.deregister("g"), 200)
        self.refused(lambda: self.connection.report("g", {"incarnation": old, "states": {"load": 0.1}}), 410)
        self.refused(lambda: self.connection.report("g", {"states": {"load": 0.1}}), 410)
        self.refused(lambda: self.connection.agent("g"), 410)
        self.refused(lambda: self.connection.deregister("g"), 410)
        new = self.expect(self.connection.register("g"), 201)["incarnation"]
        self.assertGreater(new, old)
        self.refused(lambda: self.connection.report("g", {"incarnation": old, "states": {"load": 0.1}}), 410,
                     pointer="/incarnation")
        self.refused(lambda: self.connection.report("g", {"incarnation": new + 1000, "states": {"load": 0.1}}), 409,
                     pointer="/incarnation")
        self.assertEqual(self.expect(self.connection.agent("g"), 200)["states"], {})
        self.expect(self.connection.report("g", {"incarnation": new, "states": {"load": 0.1}}), 200)

    def test_one_bad_line_of_an_upload_spoils_no_other(self):
        lines = (b'{"id":"a","states":{"cost":1}}\n{"id":"a","states":{"load":7}}\n\nnonsense\n'
                 b'{"states":{"cost":2}}\n{"id":"nobody","states":{"cost":2}}\n{"id":"a","sequence":5,"counters":{"requests":9}}\n'
                 b'{"id":"a","generated_at":"2020-01-01T00:00:00Z","states":{"cost":9}}\n\xff\xfe\n'
                 b'{"id":"a","states":{"latency":2}}')
        result = self.expect(self.connection.upload(lines), 200, accepted=2, superseded=1, duplicate=1, rejected=5)
        self.assertEqual([(error["line"], error["status"]) for error in sorted(result["errors"], key=lambda e: e["line"])],
                         [(2, 400), (4, 400), (5, 400), (6, 404), (9, 400)])
        states = self.expect(self.connection.agent("a"), 200)["states"]
        self.assertEqual((states["cost"]["value"], states["latency"]["value"], states["load"]["value"]), (1, 2, 0.25))


class Sizes(BadInput):
    def test_an_oversized_card(self):
        self.refused(lambda: self.connection.register("a", card("x" * 300_000)), 413)
        self.refused(lambda: self.connection.register("b", {"card": {"name": "x", "skills": [
            {"id": f"s{i}", "tags": [f"t{i}"]} for i in range(4000)]}}), 413)

    def test_an_oversized_body(self):
        for send in (lambda c: c.register("a", b" " * (1 << 20) + b"{}"), lambda c: c.discover(b" " * (1 << 20) + b"{}")):
            before = self.look()
            with self.node.connect() as other:
                try:
                    self.expect_problem(send(other), 413)
                except (ConnectionResetError, BrokenPipeError):
                    pass  # cut before it had read the answer: it was still sending
            self.assertEqual(self.look(), before)

    def test_a_length_that_lies(self):
        before = self.look()
        with self.node.connect() as other:
            other.send(b"PUT /v1/agents/a HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
            self.expect_problem(other.read_response(), 413)
        with self.node.connect() as other:
            other.send(b"PUT /v1/agents/a HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{\"card\":{\"name\":\"cut\"}}")
        self.assertEqual(self.look(), before)


class Queries(BadInput):
    FILTERS = ("load <", "load < < 1", "AND", "load < 0.5 AND", "(load < 0.5", "load < 0.5)", "colour = \"red\"", "load = \"x\"",
               "load < ready", "skill < \"x\"", "labels. = \"x\"", "labels.region", "\"x", "load ! 1",
               "load == 1", "= 1", "flag = 1", "flag = maybe", "location = 1", "NOT", "-", "()", "load < 1e999", "load < NaN",
               "a" * 9000, "(" * 3000 + "load<1" + ")" * 3000, "NOT " * 2000 + "load<1", "load\u0000<1", "name = \"\ud83d", "requests")

    def test_bad_filters_say_where(self):
        for filter in self.FILTERS:
            with self.subTest(filter=filter[:40]):
                body = json.dumps({"filter": filter}).encode()
                self.refused(lambda: self.connection.discover(body), 400)
        problem = self.refused(lambda: self.connection.discover({"filter": "load < 0.5 AND colour = \"red\""}), 400, "colour",
                               pointer="/filter")
        self.assertIn("at 16", problem["detail"])

    def test_bad_orders(self):
        for order in ("colour", "load up", "load desc desc", ",", "load,", "load,,cost", "load, load", "incidents", "labels.",
                      ",".join(["load"] * 9), "location"):
            with self.subTest(order=order):
                self.refused(lambda: self.connection.discover({"order_by": order}), 400, pointer="/order_by")
        for rank in ({"colour": 1}, {"availability": 1}, {"load": "1"}, {"load": None}, []):
            with self.subTest(rank=rank):
                self.refused(lambda: self.connection.discover({"rank": rank}), 400)
        self.refused(lambda: self.connection.discover({"rank": {"load": 1}, "order_by": "load"}), 400)

    def test_bad_members(self):
        for query in ({"limit": 0}, {"limit": -1}, {"limit": 1001}, {"limit": 1.5}, {"limit": "10"}, {"limit": 2**64},
                      {"deadline": "0s"}, {"deadline": "-1s"}, {"deadline": 5}, {"freshness": "fresh"}, {"freshness": 1},
                      {"max_age": {"colour": "1s"}}, {"max_age": {"load": "0s"}}, {"max_age": {"load": "-1s"}}, {"max_age": []},
                      {"near": {}}, {"near": {"latitude": 91, "longitude": 0, "radius": 1}},
                      {"near": {"latitude": 0, "longitude": 0, "radius": -1}}, {"near": []}, {"fields": "url"}, {"fields": [1]},
                      {"filter": 1}, {"order_by": []}, {"hard_deadline": 1}, {"critical": "yes"}):
            with self.subTest(query=query):
                name = next(iter(query))
                problem = self.refused(lambda: self.connection.discover(query), 400)
                self.assertTrue(problem["pointer"].startswith("/" + name), problem)

    def test_bad_parameters(self):
        for target in ("/v1/agents?page_size=0", "/v1/agents?page_size=-1", "/v1/agents?page_size=x", "/v1/agents?page_size=1001",
                       "/v1/agents?page_size=", "/v1/agents?page_token=nonsense", "/v1/agents?page_token=%00", "/v1/agents?page_token=AAAA",
                       "/v1/agents?colour=red", "/v1/agents?filter=load%20%3C", "/v1/agents?order_by=colour", "/v1/agents?filter=a&filter=b",
                       "/v1/agents?filter=%", "/v1/agents?filter=%zz", "/v1/agents?include_lapsed=yes", "/v1/agents/a?x=1",
                       "/v1/agents/a/events?page_token=nonsense", "/v1/agents/a/events?page_size=0", "/v1/agents/a/events?page_size=-1"):
            with self.subTest(target=target):
                self.refused(lambda: self.connection.get(target), 400)
        for query in ("?ack=", "?ack=soon", "?ack=Durable", "?ack=durable&ack=queued"):
            self.refused(lambda: self.connection.report("a", {"states": {"load": 1}}, query), 400)
            self.refused(lambda: self.connection.register("a", card("x"), query), 400)

    def test_a_page_token_of_another_list(self):
        for i in range(5):
            self.expect(self.connection.register(f"t{i}"), 201)
        token = self.expect(self.connection.get("/v1/agents?page_size=2&order_by=load"), 200)["next_page_token"]
        self.assertTrue(token)
        self.expect(self.connection.get(f"/v1/agents?page_size=2&order_by=load&page_token={token}"), 200)
        self.refused(lambda: self.connection.get(f"/v1/agents?page_size=2&order_by=cost&page_token={token}"), 400)
        for i in range(0, len(token), 3):
            spoiled = token[:i] + ("A" if token[i] != "A" else "B") + token[i + 1:]
            status = self.connection.get(f"/v1/agents?page_size=2&order_by=load&page_token={spoiled}").status
            self.assertIn(status, (200, 400))


class ManyClients(BadInput):
    def test_ten_thousand_registrations_at_once(self):
        """Every one is answered, none is lost, and the node goes on."""
        per_client, clients = 1250, 8
        statuses = [None] * clients

        def client(number):
            with Connection(self.node.port) as connection:
                found = []
                for first in range(0, per_client, 50):
                    bodies = [encode_registration(f"m{number}-{i}") for i in range(first, first + 50)]
                    connection.send(b"".join(bodies))
                    found += [connection.read_response().status for _ in bodies]
                statuses[number] = found

        threads = [threading.Thread(target=client, args=(n,)) for n in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        answered = [status for found in statuses for status in found]
        self.assertEqual(len(answered), per_client * clients)
        self.assertEqual(set(answered) - {201, 429}, set())
        total = self.expect(self.connection.discover({"count_total": True, "limit": 1}), 200)["total"]
        self.assertEqual(total, 1 + answered.count(201))

    def test_the_same_id_from_two_clients(self):
        """One wins; both are told which revision they made; the last revision is what stands."""
        with self.node.connect() as other:
            answers = {}
            for i in range(50):
                for name, connection in (("x", self.connection), ("y", other)):
                    connection.send(encode_registration("twin", f"{name}{i}"))
                for name, connection in (("x", self.connection), ("y", other)):
                    response = connection.read_response()
                    self.assertIn(response.status, (200, 201))
                    answers[response.json()["revision"]] = (f"{name}{i}", response.json())
                agent = self.expect(self.connection.agent("twin"), 200)
                name, answer = answers[max(answers)]
                self.assertEqual((agent["card"]["name"], agent["revision"]), (name, max(answers)))
                self.assertEqual(agent["incarnation"], min(answers))

    def test_a_guarded_replace_has_one_winner(self):
        tag = self.connection.register("guarded").headers["etag"]
        with self.node.connect() as other:
            for i in range(20):
                for name, connection in (("x", self.connection), ("y", other)):
                    connection.send(encode_registration("guarded", f"{name}{i}", tag))
                responses = [self.connection.read_response(), other.read_response()]
                self.assertEqual(sorted(r.status for r in responses), [200, 412])
                tag = min(responses, key=lambda r: r.status).headers["etag"]


def encode_registration(id, name=None, tag=None):
    return encode("PUT", agent_path(id), card(name or id), {"If-Match": tag})[0]


if __name__ == "__main__":
    main()
