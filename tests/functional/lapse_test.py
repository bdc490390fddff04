"""Leases that run out: shown as lapsed, left out of discovery, not deleted, revived by a report."""
from http_client import card
from muster_node import NodeTest, main, wait_until


class Lapse(NodeTest):
    def lapse(self, id, lease="300ms"):
        self.expect(self.connection.register(id, card(id, lease=lease)), 201)
        self.expect(self.connection.report(id, {"states": {"load": 0.5}}), 200)
        wait_until(lambda: self.connection.agent(id).json()["lapsed"], "the lease to run out")

    def ids(self, query):
        found = self.expect(self.connection.discover({"order_by": "id", **query}), 200)
        return [row["id"] for row in found["agents"]]

    def listed(self, query=""):
        return [row["id"] for row in self.expect(self.connection.get("/v1/agents" + query), 200)["agents"]]

    def test_a_lapsed_agent(self):
        self.expect(self.connection.register("lasting", card("lasting", lease="1h")), 201)
        self.lapse("a")
        agent = self.expect(self.connection.agent("a"), 200)
        self.assertEqual(agent["states"]["load"]["value"], 0.5)
        self.assertEqual(self.ids({}), ["lasting"])
        self.assertEqual(self.ids({"filter": "load = 0.5"}), [])
        self.assertEqual(self.ids({"include_lapsed": True}), ["a", "lasting"])
        self.assertEqual(self.ids({"filter": "load = 0.5", "include_lapsed": True}), ["a"])
        self.assertEqual(self.listed(), ["lasting"])
        self.assertEqual(self.listed("?include_lapsed=true"), ["a", "lasting"])
        rows = self.connection.discover({"include_lapsed": True}).json()["agents"]
        self.assertEqual({row["id"]: row.get("lapsed", False) for row in rows}, {"a": True, "lasting": False})

    def test_a_report_revives(self):
        self.lapse("a", "1s")
        incarnation = self.connection.agent("a").json()["incarnation"]

        def revived():  # again and again: on a slow machine the lease may run out before the look
            self.expect(self.connection.report("a", {"states": {"load": 0.6}}), 200, status="applied")
            return self.ids({}) == ["a"]

        wait_until(revived, "a report to revive")
        self.expect(self.connection.agent("a"), 200, incarnation=incarnation)

    def test_registering_again_revives(self):
        for body in (card("a", lease="1s"), card("other", lease="1s")):
            with self.subTest(body=body):
                if self.connection.agent("a").status == 404:
                    self.lapse("a", "1s")
                wait_until(lambda: self.connection.agent("a").json()["lapsed"], "the lease to run out")

                def revived():
                    self.expect(self.connection.register("a", body), 200)
                    return not self.connection.agent("a").json()["lapsed"]

                wait_until(revived, "a registration to revive")

    def test_a_lapsed_agent_can_be_removed_and_replaced(self):
        self.lapse("a")
        self.lapse("b")
        self.expect(self.connection.deregister("a"), 200)
        self.expect_problem(self.connection.agent("a"), 410)
        self.expect(self.connection.register("b", card("new", lease="1h")), 200, change="replaced")
        self.expect(self.connection.agent("b"), 200, lapsed=False)

    def test_after_a_restart(self):
        """Nobody could report while the node was away, so each lease begins anew."""
        self.lapse("a", "2s")
        self.connection.close()
        self.node.restart()
        with self.node.connect() as connection:
            agent = connection.agent("a")
            self.assertEqual(agent.status, 200)
            self.assertEqual(agent.json()["states"]["load"]["value"], 0.5)
            wait_until(lambda: connection.agent("a").json()["lapsed"], "the lease to run out again")


if __name__ == "__main__":
    main()
