"""What several clients see of each other's changes."""
import random
import threading

from http_client import card
from muster_node import NodeTest, main


class Consistency(NodeTest):
    def at_once(self, *tasks):
        """Runs them in threads of their own; the first failure of any is this test's."""
        failures = []

        def guarded(task):
            try:
                task()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=guarded, args=(task,)) for task in tasks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def test_what_is_acknowledged_is_seen_by_others(self):
        with self.node.connect() as other:
            for i in range(150):
                id = f"a{i}"
                registered = self.connection.register(id)
                self.expect(registered, 201)
                seen = other.agent(id)
                self.expect(seen, 200)
                self.assertGreaterEqual(seen.revision, registered.json()["revision"])
                reported = self.expect(self.connection.report(id, {"states": {"queue_depth": i}}), 200, status="applied")
                found = other.discover({"filter": f"queue_depth = {i}"})
                self.assertEqual([row["id"] for row in self.expect(found, 200)["agents"]], [id])
                self.assertGreaterEqual(found.json()["revision"], reported["revision"])
                self.expect(self.connection.deregister(id), 200)
                self.expect_problem(other.agent(id), 410)
                self.expect_problem(other.report(id, {"states": {"queue_depth": 1}}), 410)

    def test_the_revision_never_goes_back(self):
        def writer(number):
            with self.node.connect() as connection:
                last = 0
                for i in range(100):
                    response = connection.register(f"w{number}", card(f"{i}"))
                    answer = response.json()
                    assert answer["revision"] > last, (answer, last)
                    last = answer["revision"]
                    connection.report(f"w{number}", {"states": {"load": 0.5}}, random.choice(("", "?ack=durable", "?ack=queued")))

        def reader():
            with self.node.connect() as connection:
                last = 0
                for i in range(300):
                    revision = connection.get(("/livez", "/v1/agents", "/v1/agents/w1")[i % 3]).revision
                    assert revision >= last, (revision, last)
                    last = revision

        self.at_once(*(lambda n=n: writer(n) for n in range(3)), reader, reader)

    def test_counters_add_up_over_clients(self):
        self.expect(self.connection.register("c", card("C", states={"hits": {"kind": "counter"}})), 201)

        def client():
            with self.node.connect() as connection:
                for i in range(100):
                    report = {"counters": {"hits": 1}, "states": {"load": i / 100}}
                    assert connection.report("c", report).status == 200

        def uploader():
            with self.node.connect() as connection:
                for _ in range(10):
                    result = connection.upload([{"id": "c", "counters": {"hits": 1}}] * 20).json()
                    assert result["accepted"] == 20, result

        self.at_once(client, client, uploader, uploader)
        self.assertEqual(self.connection.agent("c").json()["states"]["hits"]["value"], 600)

    def test_pages_under_churn(self):
        """Who is there throughout is listed exactly once, in order; who comes and goes, at most once."""
        steady = [f"s{i:03}" for i in range(150)]
        for id in steady:
            self.expect(self.connection.register(id, card(id)), 201)
            self.expect(self.connection.report(id, {"states": {"load": int(id[1:]) % 7 / 10}}), 200)
        done = threading.Event()

        def churn():
            chance = random.Random(7)
            with self.node.connect() as connection:
                while not done.is_set():
                    id = f"s{chance.randrange(150):03}{chance.choice('abc')}"
                    connection.register(id, card(id))
                    connection.report(id, {"states": {"load": chance.random()}})
                    connection.deregister(id)

        def read():
            try:
                for order in ("", "&order_by=load", "&order_by=load%20desc,id"):
                    with self.node.connect() as connection:
                        for _ in range(4):
                            listed, token = [], ""
                            while True:
                                page = connection.get(f"/v1/agents?page_size=13{order}&page_token={token}").json()
                                listed += [row["id"] for row in page["agents"]]
                                token = page["next_page_token"]
                                if not token:
                                    break
                            kept = [id for id in listed if len(id) == 4]
                            assert sorted(kept) == steady, (order, set(steady) ^ set(kept), len(kept))
                            if not order:
                                assert listed == sorted(listed), listed
            finally:
                done.set()

        self.at_once(churn, read)


if __name__ == "__main__":
    main()
