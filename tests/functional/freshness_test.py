"""How fresh an answer is: what it says of itself, and what `freshness` and `max_age` ask for."""
import datetime

from http_client import card, encode, seconds
from muster_node import NodeTest, main


def ago(**back):
    at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(**back)
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Freshness(NodeTest):
    def setUp(self):
        super().setUp()
        self.expect(self.connection.register("a", card("A", max_age={"load": "1h"})), 201)
        self.expect(self.connection.report("a", {"generated_at": ago(minutes=30), "states": {"load": 0.5, "cost": 2}}), 200)

    def ask(self, **query):
        return self.expect(self.connection.discover({"filter": "load < 0.7", **query}), 200)

    def test_the_risk_is_the_largest_age_over_its_bound(self):
        answer = self.ask()
        self.assertFalse(answer["stale"])
        self.assertAlmostEqual(answer["freshness_risk"], 0.5, delta=0.05)
        self.assertAlmostEqual(answer["agents"][0]["states"]["load"]["freshness"], 0.5, delta=0.05)
        # States that decide nothing do not count: cost is far past its bound.
        self.assertGreater(answer["agents"][0]["states"]["cost"]["freshness"], 5)
        answer = self.ask(order_by="cost")
        self.assertTrue(answer["stale"])
        self.assertGreater(answer["freshness_risk"], 5)
        answer = self.expect(self.connection.discover({"filter": "name = \"A\""}), 200)
        self.assertEqual((answer["freshness_risk"], answer["stale"]), (0, False))

    def test_no_match_has_no_risk(self):
        answer = self.expect(self.connection.discover({"filter": "load > 0.9"}), 200)
        self.assertEqual((answer["agents"], answer["freshness_risk"], answer["stale"]), ([], 0, False))

    def test_a_query_s_own_bounds(self):
        for bound, stale, risk in (("2h", False, 0.25), ("1h", False, 0.5), ("10m", True, 3)):
            for freshness in ("any", "prefer", "require"):
                with self.subTest(bound=bound, freshness=freshness):
                    answer = self.ask(max_age={"load": bound}, freshness=freshness)
                    self.assertEqual([row["id"] for row in answer["agents"]], ["a"])
                    self.assertEqual(answer["stale"], stale)
                    self.assertAlmostEqual(answer["freshness_risk"], risk, delta=0.1 * risk)
        self.assertAlmostEqual(self.ask()["freshness_risk"], 0.5, delta=0.05)

    def test_require_does_not_wait_for_what_is_not_on_its_way(self):
        answer = self.ask(max_age={"load": "1s"}, freshness="require", deadline="30s")
        self.assertTrue(answer["stale"])
        self.assertLess(seconds(answer["waited"]), 20)

    def test_require_sees_what_was_queued_before_it(self):
        """However the two race, the answer holds the new value, or says that it is stale."""
        with self.node.connect() as other:
            for i in range(100):
                id = f"r{i}"
                self.expect(self.connection.register(id, card(id, max_age={"load": "1h"})), 201)
                self.expect(self.connection.report(id, {"generated_at": ago(hours=2), "states": {"load": 0.1}}), 200)
                self.expect(self.connection.report(id, {"states": {"load": 0.2}}, "?ack=queued"), 202)
                answer = self.expect(other.discover({"filter": f"id = \"{id}\" AND load >= 0", "freshness": "require",
                                                     "deadline": "30s"}), 200)
                self.assertFalse(answer["stale"], answer)
                self.assertEqual(answer["agents"][0]["states"]["load"]["value"], 0.2)

    def test_require_in_one_burst_with_the_reports(self):
        for i in range(50):
            id = f"b{i}"
            self.expect(self.connection.register(id, card(id, max_age={"load": "1h"})), 201)
            self.expect(self.connection.report(id, {"generated_at": ago(hours=2), "states": {"load": 0.1}}), 200)
            query = {"filter": f"id = \"{id}\" AND load >= 0", "freshness": "require", "deadline": "30s"}
            self.connection.send(encode("POST", f"/v1/agents/{id}/reports?ack=queued", {"states": {"load": 0.2}})[0] +
                                 encode("POST", "/v1/agents:discover", query)[0])
            self.expect(self.connection.read_response(), 202)
            answer = self.expect(self.connection.read_response(), 200)
            self.assertEqual((answer["stale"], answer["agents"][0]["states"]["load"]["value"]), (False, 0.2))

    def test_a_report_makes_it_fresh(self):
        self.assertTrue(self.ask(max_age={"load": "1m"})["stale"])
        self.expect(self.connection.report("a", {"states": {"load": 0.4}}), 200)
        answer = self.ask(max_age={"load": "1m"})
        self.assertFalse(answer["stale"])
        self.assertLess(answer["freshness_risk"], 1)

    def test_ages_go_on_over_a_restart(self):
        before = self.ask()["freshness_risk"]
        self.connection.close()
        self.node.restart()
        self.connection = self.node.connect()
        self.addCleanup(self.connection.close)
        after = self.ask()["freshness_risk"]
        self.assertGreaterEqual(after, before)
        self.assertAlmostEqual(after, before, delta=0.05)


if __name__ == "__main__":
    main()
