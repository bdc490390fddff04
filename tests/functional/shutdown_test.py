"""SIGTERM drains and ends with 0 in time; SIGSTOP and SIGCONT lapse nobody."""
import signal
import threading
import time

from http_client import Closed, card, encode
from muster_node import NodeTest, main, wait_until

STATED = 10  # seconds: shutdown_timeout's default
SLACK = 5    # for a machine that is busy with other tests


class Shutdown(NodeTest):
    def end(self, number=signal.SIGTERM):
        started = time.monotonic()
        self.node.signal(number)
        self.assertEqual(self.node.wait(), 0, self.node.log())
        return time.monotonic() - started

    def test_idle(self):
        self.assertLess(self.end(), STATED)

    def test_an_interrupt_too(self):
        self.assertLess(self.end(signal.SIGINT), STATED)

    def test_a_hangup_ends_nothing(self):
        self.node.signal(signal.SIGHUP)
        self.expect(self.connection.get("/livez"), 200)

    def test_under_load_every_answer_is_whole_and_kept(self):
        kept, broken = {}, []

        def client(number):
            connection = self.node.connect()
            for i in range(1_000_000):
                id = f"c{number}-{i}"
                try:
                    response = connection.register(id, card(id))
                except (Closed, ConnectionError):
                    if connection.buffer:
                        broken.append(connection.buffer)
                    return
                if response.status == 503:
                    self.assertGreaterEqual(int(response.headers["retry-after"]), 1)
                elif response.status == 201:
                    kept[id] = response.json()["incarnation"]
                else:
                    broken.append(response)
                if response.headers.get("connection") == "close":
                    return

        threads = [threading.Thread(target=client, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        wait_until(lambda: len(kept) > 50, "some registrations")
        took = self.end()
        for thread in threads:
            thread.join()
        self.assertLess(took, STATED + SLACK)
        self.assertEqual(broken, [])
        self.node.start()
        with self.node.connect() as connection:
            for id, incarnation in kept.items():
                self.assertEqual(connection.agent(id).json()["incarnation"], incarnation)

    def test_what_is_under_way_is_answered(self):
        """Requests whose last byte comes after the signal."""
        data = encode("PUT", "/v1/agents/a", card("A"))[0]
        self.connection.send(data[:-5])
        with self.node.connect() as other:
            self.expect(other.get("/livez"), 200)  # so that the bytes before it have been read, too
        self.node.signal(signal.SIGTERM)
        try:
            self.connection.send(data[-5:])
            response = self.connection.read_response()
        except (Closed, ConnectionError):
            response = None
        self.assertEqual(self.node.wait(), 0)
        self.node.start()
        with self.node.connect() as connection:
            there = connection.agent("a").status
        self.assertEqual(there, 200 if response is not None and response.status == 201 else 404)

    def test_a_client_that_never_finishes_does_not_hold_it_up(self):
        self.connection.send(b"PUT /v1/agents/a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        with self.node.connect() as half:
            half.send(b"GET /li")
            self.assertLess(self.end(), STATED + SLACK)

    def test_not_ready_and_no_new_connections_afterwards(self):
        self.end()
        with self.assertRaises(ConnectionRefusedError):
            self.node.connect()

    def test_reports_that_were_applied_are_there_after_it(self):
        self.expect(self.connection.register("a"), 201)
        for i in range(100):
            self.expect(self.connection.report("a", {"states": {"queue_depth": i}}, "?ack=queued"), 202)
        self.connection.close()
        self.end()
        self.node.start()
        with self.node.connect() as connection:
            self.assertEqual(connection.agent("a").json()["states"]["queue_depth"]["value"], 99)


class Stall(NodeTest):
    def test_a_stopped_process_lapses_nobody(self):
        lease = 4
        self.expect(self.connection.register("short", card("S", lease=f"{lease}s")), 201)
        self.expect(self.connection.register("long", card("L", lease="1h")), 201)
        self.node.signal(signal.SIGSTOP)
        end = time.monotonic() + 2 * lease
        wait_until(lambda: time.monotonic() > end, "twice the lease")
        self.node.signal(signal.SIGCONT)
        self.expect(self.connection.agent("short"), 200, lapsed=False)
        found = self.expect(self.connection.discover({"order_by": "id"}), 200)
        self.assertEqual([row["id"] for row in found["agents"]], ["long", "short"])
        # The lease runs on from where it stood, and runs out.
        wait_until(lambda: self.connection.agent("short").json()["lapsed"], "the lease to run out")
        self.expect(self.connection.agent("long"), 200, lapsed=False)


if __name__ == "__main__":
    main()
