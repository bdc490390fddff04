"""HTTP itself: keep-alive, pipelining, paths, methods, framing, limits, deadlines, slow clients."""
import json
import resource
import socket
import unittest

from http_client import Closed, Connection, agent_path, card, encode
from muster_node import Node, NodeTest, main, wait_until

RELUCTANT = 1000  # half-open connections of the slowloris test


class KeepAlive(NodeTest):
    def test_many_requests_on_one_connection(self):
        for i in range(200):
            self.expect(self.connection.register(f"k{i % 7}", card(f"n{i}")), 201 if i < 7 else 200)

    def test_close_is_obeyed(self):
        response = self.connection.request("GET", "/livez", headers={"Connection": "close"})
        self.assertEqual(response.headers.get("connection"), "close")
        self.assertTrue(self.connection.at_end())

    def test_http_1_0(self):
        self.connection.send(b"GET /livez HTTP/1.0\r\n\r\n")
        self.expect(self.connection.read_response(), 200)
        self.assertTrue(self.connection.at_end())
        with self.node.connect() as other:
            other.send(b"GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            self.assertEqual(other.read_response().headers.get("connection"), "keep-alive")
            self.expect(other.get("/livez"), 200)

    def test_empty_lines_before_a_request(self):
        self.connection.send(b"\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        self.expect(self.connection.read_response(), 200)

    def test_every_answer_says_the_revision(self):
        before = self.connection.get("/livez").revision
        self.expect(self.connection.register("a"), 201)
        self.assertGreater(self.connection.get("/livez").revision, before)
        for target in ("/nowhere", "/v1/agents/nobody", "/v1/agents?x=1", "/metrics", "/openapi.json"):
            self.assertGreater(self.connection.get(target).revision, before)


class Pipelining(NodeTest):
    def test_answers_come_in_order(self):
        for i in range(10):
            self.expect(self.connection.register(f"p{i}", card(f"P{i}")), 201)
        wanted = [(i * 7) % 10 for i in range(300)]
        self.connection.send(b"".join(encode("GET", f"/v1/agents/p{i}")[0] for i in wanted))
        self.assertEqual([self.connection.read_response().json()["id"] for _ in wanted], [f"p{i}" for i in wanted])

    def test_reads_see_the_writes_before_them(self):
        """On one connection, whatever the kinds."""
        requests = []
        for i in range(60):
            requests.append(encode("PUT", "/v1/agents/a", card(f"A{i}"))[0])
            requests.append(encode("POST", "/v1/agents/a/reports", {"states": {"queue_depth": i}})[0])
            requests.append(encode("GET", "/v1/agents/a")[0])
            requests.append(encode("POST", "/v1/agents:discover", {"filter": f"queue_depth = {i}"})[0])
        self.connection.send(b"".join(requests))
        for i in range(60):
            self.assertIn(self.connection.read_response().status, (200, 201))
            self.expect(self.connection.read_response(), 200, status="applied")
            agent = self.connection.read_response().json()
            self.assertEqual((agent["card"]["name"], agent["states"]["queue_depth"]["value"]), (f"A{i}", i))
            self.assertEqual(len(self.connection.read_response().json()["agents"]), 1)

    def test_a_bad_request_among_good_ones(self):
        self.connection.send(encode("PUT", "/v1/agents/a", card("A"))[0] + encode("PUT", "/v1/agents/b", b"nonsense")[0] +
                             encode("GET", "/nowhere")[0] + encode("GET", "/v1/agents/a")[0])
        self.assertEqual([self.connection.read_response().status for _ in range(4)], [201, 400, 404, 200])

    def test_what_is_no_http_ends_the_connection_after_what_was_before_it(self):
        self.connection.send(encode("PUT", "/v1/agents/a", card("A"))[0] + b"NONSENSE\r\n\r\n" +
                             encode("PUT", "/v1/agents/b", card("B"))[0])
        self.expect(self.connection.read_response(), 201)
        self.expect_problem(self.connection.read_response(), 400)
        self.assertTrue(self.connection.at_end())
        with self.node.connect() as other:
            self.expect_problem(other.agent("b"), 404)

    def test_byte_by_byte(self):
        for byte in encode("PUT", "/v1/agents/slow", card("S"))[0]:
            self.connection.send(bytes([byte]))
        self.expect(self.connection.read_response(), 201)


class Paths(NodeTest):
    IDS = ("a", "a b", "a/b", "..", ".", "%", "a%2Fb", "\u00e9\u4e2d\U0001f600", "a?b#c", "a:discover", "+", "~!$&'()*,;=@",
           "x" * 256, "\u00e9" * 128, "reports", "events", '"quoted\\"')

    def test_ids_with_any_utf8(self):
        for id in self.IDS:
            with self.subTest(id=id[:20]):
                self.expect(self.connection.register(id, card(id)), 201)
                self.expect(self.connection.report(id, {"states": {"load": 0.5}}), 200)
                self.expect(self.connection.agent(id), 200, id=id)
                self.expect(self.connection.get(agent_path(id) + "/events"), 200)
                found = self.connection.discover({"filter": f"id = {json.dumps(id, ensure_ascii=False)}"})
                self.assertEqual([row["id"] for row in self.expect(found, 200)["agents"]], [id])
        listed = self.expect(self.connection.get("/v1/agents?page_size=100"), 200)["agents"]
        self.assertEqual([row["id"] for row in listed], sorted(self.IDS, key=str.encode))
        for id in self.IDS:
            self.expect(self.connection.deregister(id), 200)

    def test_one_id_in_two_encodings(self):
        self.expect(self.connection.register("a-b", card("x")), 201)
        for path in ("/v1/agents/a%2Db", "/v1/agents/%61-b", "/v1/agents/%61%2d%62"):
            self.expect(self.connection.get(path), 200, id="a-b")

    def test_paths_are_matched_exactly(self):
        self.expect(self.connection.register("a", card("A")), 201)
        for path in ("/", "//", "/v1", "/v1/", "/v1/agents/", "//v1/agents/a", "/v1//agents/a", "/v1/agents//a", "/v1/agents/a/",
                     "/V1/agents/a", "/v1/Agents/a", "/v1/agents/a/Events", "/v1/agents/a/events/", "/v1/./agents/a",
                     "/v1/x/../agents/a", "/%761/agents/a", "/v1%2Fagents/a", "/v1/agents/a/states", "/v1/agents/a/b/events",
                     "/LIVEZ", "/livez/", "/livez/x", "/metrics/", "/v1/agents:Discover", "/v1/agents%3Adiscover", "/v2/agents/a"):
            with self.subTest(path=path):
                self.expect_problem(self.connection.get(path), 404)
        # `..` and `%2e%2e` are ids like any other, and lead nowhere else.
        for path in ("/v1/agents/..", "/v1/agents/%2e%2e", "/v1/agents/%2E", "/v1/agents/a%2Fevents"):
            self.expect_problem(self.connection.get(path), 404)
        for path in ("/v1/agents/%", "/v1/agents/%2", "/v1/agents/%zz", "/v1/agents/a%"):
            self.expect_problem(self.connection.get(path), 400)

    def test_the_absolute_form(self):
        self.expect(self.connection.register("a", card("A")), 201)
        self.expect(self.connection.get("http://muster.example/v1/agents/a", check=False), 200, id="a")

    def test_bad_targets(self):
        for line in (b"GET v1/agents HTTP/1.1", b"GET * HTTP/1.1", b"GET  /livez HTTP/1.1", b"GET /livez", b"GET /livez HTTP/2.0",
                     b"GET /livez HTTP/1.1 x", b"GET /li vez HTTP/1.1", b"get /livez HTTP/9.9", b"G\x00T /livez HTTP/1.1"):
            with self.subTest(line=line), self.node.connect() as other:
                other.send(line + b"\r\nHost: x\r\n\r\n")
                self.assertIn(other.read_response().status, (400, 404, 501, 505))


class Methods(NodeTest):
    def test_head_is_get_without_the_body(self):
        self.expect(self.connection.register("a", card("A")), 201)
        for target in ("/v1/agents/a", "/livez", "/readyz", "/openapi.json", "/v1/agents", "/v1/agents/nobody"):
            with self.subTest(target=target):
                get = self.connection.get(target)
                head = self.connection.request("HEAD", target)
                self.assertEqual(head.status, get.status)
                self.assertEqual(head.headers["content-type"], get.headers["content-type"])
                if target != "/v1/agents/a":  # whose length moves with its ages
                    self.assertEqual(head.headers["content-length"], get.headers["content-length"])
        self.expect(self.connection.get("/livez"), 200)

    def test_the_wrong_method_is_told_the_right_ones(self):
        for method, path, allowed in (("POST", "/v1/agents/a", {"GET", "HEAD", "PUT", "DELETE"}), ("PUT", "/v1/agents", {"GET", "HEAD"}),
                                      ("GET", "/v1/agents:discover", {"POST"}), ("GET", "/v1/reports", {"POST"}),
                                      ("DELETE", "/v1/scheduler", {"GET", "HEAD", "PATCH"}), ("PUT", "/livez", {"GET", "HEAD"}),
                                      ("OPTIONS", "/v1/agents", {"GET", "HEAD"}), ("BREW", "/v1/agents", {"GET", "HEAD"})):
            with self.subTest(method=method, path=path), self.node.connect() as other:
                response = other.request(method, path)
                if method == "BREW" and response.status in (400, 501):
                    continue
                self.expect_problem(response, 405)
                self.assertEqual({name.strip() for name in response.headers["allow"].split(",")}, allowed)

    def test_what_is_not_there_yet(self):
        self.expect_problem(self.connection.get("/v1/agents:watch"), 501)
        self.expect_problem(self.connection.discover({"text": "contracts in german"}), 501)

    def test_media_types(self):
        self.expect_problem(self.connection.register("a", headers={"Content-Type": "text/plain"}), 415)
        self.expect_problem(self.connection.register("a", headers={"Content-Encoding": "gzip"}), 415)
        self.connection.reopen()  # what is coded is not read on
        self.expect_problem(self.connection.get("/v1/agents", headers={"Accept": "text/html"}), 406)
        self.expect(self.connection.register("a", headers={"Content-Type": "application/json; charset=utf-8"}, check=False), 201)
        for accept in ("*/*", "application/json", "text/html, application/*;q=0.1", "application/json;q=0.5"):
            self.expect(self.connection.get("/v1/agents", headers={"Accept": accept}), 200)


class Framing(NodeTest):
    def test_a_chunked_body(self):
        body = b'{"card":{"name":"chunked"}}'
        pieces = b"".join(b"%x\r\n%s\r\n" % (len(body[i:i + 5]), body[i:i + 5]) for i in range(0, len(body), 5))
        self.connection.send(b"PUT /v1/agents/c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + pieces + b"0\r\n\r\n")
        self.expect(self.connection.read_response(), 201)
        self.assertEqual(self.connection.agent("c").json()["card"]["name"], "chunked")

    def test_what_could_be_read_in_two_ways_is_refused(self):
        for fields in (b"Content-Length: 5\r\nTransfer-Encoding: chunked", b"Content-Length: 5\r\nContent-Length: 6",
                       b"Content-Length: +5", b"Content-Length: -5", b"Content-Length: 5x", b"Content-Length: 0x5",
                       b"Content-Length : 5", b"Transfer-Encoding: gzip, chunked", b"Transfer-Encoding: xchunked",
                       b"Host: y", b"bad header: x", b"no colon", b"X: a\x00b", b"\x7f: x"):
            with self.subTest(fields=fields), self.node.connect() as other:
                other.send(b"PUT /v1/agents/smuggled HTTP/1.1\r\nHost: x\r\n" + fields + b"\r\n\r\n" +
                           b"0\r\n\r\nPUT /v1/agents/smuggled HTTP/1.1\r\nHost: x\r\nContent-Length: 22\r\n\r\n" +
                           b'{"card":{"name":"evil"}}')
                try:
                    self.assertIn(other.read_response().status, (400, 413, 501))
                    self.assertTrue(other.at_end())
                except Closed:
                    pass
        self.expect_problem(self.connection.agent("smuggled"), 404)

    def test_bad_chunks(self):
        for chunks in (b"zz\r\n", b"-1\r\n", b"fffffffffffffffff\r\n", b"5\r\nabcdefgh\r\n"):
            with self.subTest(chunks=chunks), self.node.connect() as other:
                other.send(b"PUT /v1/agents/c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
                self.assertIn(other.read_response().status, (400, 413))

    def test_no_host_or_no_body(self):
        self.connection.send(b"GET /livez HTTP/1.1\r\n\r\n")
        self.expect_problem(self.connection.read_response(), 400, "Host")
        with self.node.connect() as other:
            self.expect_problem(other.request("PUT", "/v1/agents/a", headers={"Content-Length": "0"}), 400)
            self.expect_problem(other.request("GET", "/livez", {"a": 1}), 400)

    def test_expect_continue(self):
        body = b'{"card":{"name":"patient"}}'
        head = b"PUT /v1/agents/e HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: "
        self.connection.send(head + b"%d\r\n\r\n" % len(body))
        self.assertEqual(self.connection.read_response().status, 100)
        self.connection.send(body)
        self.expect(self.connection.read_response(), 201)
        # What will be refused is refused before the body is asked for.
        with self.node.connect() as other:
            other.send(head + b"999999999\r\n\r\n")
            self.expect_problem(other.read_response(), 413)
        with self.node.connect() as other:
            other.send(b"PUT /nowhere HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
            self.expect_problem(other.read_response(), 404)
        with self.node.connect() as other:
            other.send(b"PUT /v1/agents/e HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nContent-Length: 5\r\n\r\n")
            self.expect_problem(other.read_response(), 417)

    def test_a_long_upload_in_small_pieces(self):
        """Longer than any body may be, in chunks that cut lines anywhere."""
        self.expect(self.connection.register("u", card("U")), 201)
        line = json.dumps({"id": "u", "states": {"load": 0.5}, "counters": {}}).encode() + b"\n"
        lines = 40_000  # 2 MB
        data = line * lines
        self.connection.send(b"POST /v1/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
                             b"Transfer-Encoding: chunked\r\n\r\n")
        for at in range(0, len(data), 70_001):
            piece = data[at:at + 70_001]
            self.connection.send(b"%x\r\n" % len(piece) + piece + b"\r\n")
        self.connection.send(b"0\r\n\r\n")
        result = self.expect(self.connection.read_response(), 200, rejected=0, duplicate=0)
        self.assertEqual(result["accepted"] + result["superseded"], lines)


class Limits(NodeTest):
    config = """
[http]
header_bytes_max = 4096
body_bytes_max = 10000
connections_max = 40
header_time_max = "1s"
body_time_max = "1s"
idle_time_max = "1s"

[limits]
card_bytes_max = 8000
report_bytes_max = 8000
"""

    def test_headers_and_bodies(self):
        for request in (b"GET /livez HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 5000 + b"\r\n\r\n",
                        b"GET /" + b"y" * 5000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
                        b"GET /livez HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 1000 + b"\r\n"):
            with self.node.connect() as other:
                other.send(request)
                self.expect_problem(other.read_response(), 431)
                self.assertTrue(other.at_end())
        with self.node.connect() as other:
            self.expect_problem(other.register("a", card("y" * 10_000)), 413)

    def test_too_slow_is_408(self):
        for start in (b"GET /livez HTTP/1.1\r\nHost", b"PUT /v1/agents/a HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{"):
            with self.node.connect() as other:
                other.send(start)
                self.expect_problem(other.read_response(), 408)
                self.assertTrue(other.at_end())

    def test_silence_is_closed(self):
        with self.node.connect() as other:
            self.expect(other.get("/livez"), 200)
            self.assertTrue(other.at_end())

    def test_one_connection_too_many(self):
        held = []
        self.addCleanup(lambda: [connection.close() for connection in held])

        def refused():
            held.append(self.node.connect(contract=None))
            try:
                response = held[-1].get("/livez")
            except (Closed, ConnectionResetError, BrokenPipeError):
                return None
            return response if response.status == 503 else None

        self.expect_problem(wait_until(refused, "a refusal", patience=20), 503)
        for connection in held:
            connection.close()
        held.clear()

        def served():
            with self.node.connect() as other:
                try:
                    return other.get("/livez", check=False).status == 200
                except (Closed, ConnectionResetError, BrokenPipeError):
                    return False

        wait_until(served, "a place to be free again")


class Slowloris(unittest.TestCase):
    def test_a_thousand_half_open_connections(self):
        """Others are served at once, and the slow ones are got rid of."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4 * RELUCTANT)), hard))
        with Node(config='[http]\nheader_time_max = "5s"\n') as node:
            slow = []
            try:
                for i in range(RELUCTANT):
                    connection = socket.create_connection(("127.0.0.1", node.port))
                    connection.send(b"GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: "[:10 + i % 35])
                    slow.append(connection)
                with node.connect() as quick:
                    for i in range(50):
                        self.assertIn(quick.register("q", card(f"Q{i}")).status, (200, 201))
                        self.assertEqual(quick.discover({}).status, 200)
                        slow[i].send(b"y")  # a byte now and then does not buy time
                for connection in slow:
                    connection.settimeout(60)
                    while True:
                        try:
                            if not connection.recv(4096):
                                break
                        except ConnectionResetError:
                            break
                with node.connect() as quick:
                    self.assertEqual(quick.agent("q").status, 200)
            finally:
                for connection in slow:
                    connection.close()


class Semantics(NodeTest):
    def test_if_match(self):
        first = self.connection.register("a", card("A"))
        tag = first.headers["etag"]
        self.assertEqual(tag, f'"{first.json()["revision"]}"')
        self.assertEqual(self.connection.agent("a").headers["etag"], tag)
        second = self.connection.register("a", card("B"), headers={"If-Match": tag})
        self.expect(second, 200, change="replaced")
        self.expect_problem(self.connection.register("a", card("C"), headers={"If-Match": tag}), 412)
        self.expect_problem(self.connection.deregister("a", headers={"If-Match": tag}), 412)
        self.expect_problem(self.connection.register("b", card("B"), headers={"If-Match": tag}), 412)
        for bad in ("1", '"x"', "W/\"1\"", '"1", "2"', "*"):
            self.expect_problem(self.connection.register("a", card("C"), headers={"If-Match": bad}), 400)
        self.assertEqual(self.connection.agent("a").json()["card"]["name"], "B")
        self.expect(self.connection.deregister("a", headers={"If-Match": second.headers["etag"]}), 200)

    def test_the_same_body_again_changes_nothing(self):
        body = {"card": {"name": "A", "x": [1, 2]}, "labels": {"b": "1", "a": "2"}, "lease": "5m"}
        first = self.expect(self.connection.register("a", body), 201)
        before = self.connection.agent("a").revision
        again = self.expect(self.connection.register("a", body), 200, change="unchanged")
        self.assertEqual((again["revision"], again["incarnation"]), (first["revision"], first["incarnation"]))
        self.assertEqual(self.connection.agent("a").revision, before)

    def test_acknowledgements(self):
        self.expect(self.connection.register("a", card("A")), 201)
        for ack in ("applied", "durable"):
            self.expect(self.connection.report("a", {"states": {"load": 0.5}}, "?ack=" + ack), 200, status="applied")
        self.expect(self.connection.report("a", {"states": {"load": 0.75}}, "?ack=queued"), 202, status="queued")
        wait_until(lambda: self.connection.agent("a").json()["states"]["load"]["value"] == 0.75, "the queued report")
        for ack in ("queued", "applied", "durable"):
            self.expect(self.connection.register("a", card("A" + ack), "?ack=" + ack), 200, change="replaced")
            self.expect(self.connection.upload([{"id": "a", "states": {"load": 0.1}}], "?ack=" + ack), 200, accepted=1)

    def test_deadlines(self):
        self.expect(self.connection.register("a", card("A")), 201)
        for method, path, body in (("GET", "/v1/agents/a", None), ("GET", "/v1/agents", None), ("GET", "/v1/agents/a/events", None),
                                   ("POST", "/v1/agents:discover", {}), ("PUT", "/v1/agents/a", card("late")),
                                   ("DELETE", "/v1/agents/a", None), ("POST", "/v1/agents/a/reports", {"states": {"load": 1}})):
            with self.subTest(method=method, path=path):
                self.expect_problem(self.connection.request(method, path, body, {"Muster-Deadline": "1ns"}), 504)
                for bad in ("soon", "0s", "-1s", "5"):
                    self.expect_problem(self.connection.request(method, path, body, {"Muster-Deadline": bad}), 400)
        agent = self.connection.agent("a", headers={"Muster-Deadline": "20s"}).json()
        self.assertEqual((agent["card"]["name"], agent["states"]), ("A", {}))
        self.expect_problem(self.connection.discover({"deadline": "1ns"}), 504)

    def test_what_is_queued_beyond_the_limit_is_told_when_to_retry(self):
        self.expect(self.connection.register("a", card("A")), 201)
        self.expect(self.connection.request("PATCH", "/v1/scheduler", {"updates": {"tasks_max": 1}, "queries": {"tasks_max": 1}}), 200)
        requests = [encode("POST", f"/v1/agents/a/reports", {"states": {"load": 0.5}})[0],
                    encode("GET", "/v1/agents/a")[0]]
        for request in requests[1:]:
            self.connection.send(request * 100)
            responses = [self.connection.read_response() for _ in range(100)]
            refused = [response for response in responses if response.status == 429]
            self.assertTrue(refused)
            self.assertEqual({r.status for r in responses}, {200, 429})
            for response in refused:
                self.expect_problem(response, 429)
                self.assertGreaterEqual(int(response.headers["retry-after"]), 1)


if __name__ == "__main__":
    main()
