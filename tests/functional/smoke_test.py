"""A node from end to end: register, report, discover, restart, remove; a few clients at once."""
import threading

from http_client import card
from muster_node import NodeTest, main


class Smoke(NodeTest):
    def test_an_agent_s_life(self):
        born = self.expect(self.connection.register("a", card("A", labels={"region": "eu"})), 201, change="created")
        self.expect(self.connection.report("a", {"states": {"load": 0.4}}), 200, status="applied")
        found = self.expect(self.connection.discover({"filter": "load < 0.5 AND labels.region = \"eu\""}), 200, stale=False)
        self.assertEqual([row["id"] for row in found["agents"]], ["a"])
        revision = self.connection.agent("a").revision
        self.connection.close()

        self.node.restart()
        with self.node.connect() as connection:
            agent = connection.agent("a")
            self.expect(agent, 200, incarnation=born["incarnation"])
            self.assertEqual(agent.json()["states"]["load"]["value"], 0.4)
            self.assertGreaterEqual(agent.revision, revision)
            self.expect(connection.deregister("a"), 200)
            self.expect_problem(connection.agent("a"), 410)
            self.expect_problem(connection.report("a", {"states": {"load": 0.5}}), 410)
        self.assertEqual(self.node.stop(), 0)

    def test_clients_at_once(self):
        """Registering, reporting, discovering and removing on eight connections."""
        failures = []

        def client(number):
            try:
                with self.node.connect() as connection:
                    for i in range(40):
                        id = f"c{number}-{i % 4}"
                        assert connection.register(id, card(id, labels={"round": str(i)})).status in (200, 201)
                        for value in (0.1, 0.9):
                            report = connection.report(id, {"states": {"load": value, "availability": "ready"}})
                            assert report.status == 200, report
                        found = connection.discover({"filter": "load > 0.5", "order_by": "load", "limit": 100}).json()
                        ids = [row["id"] for row in found["agents"]]
                        assert id in ids and len(set(ids)) == len(ids), (id, ids)
                        if i % 8 >= 4:
                            assert connection.deregister(id).status == 200
            except Exception as error:  # told to the test's own thread
                failures.append(repr(error))

        threads = [threading.Thread(target=client, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


if __name__ == "__main__":
    main()
