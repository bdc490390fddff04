"""SIGKILL at random moments under load, again and again, on one store.

Four clients register, replace, remove, report and upload, each on agents of its own. Every report carries
its number k as a state, an increment and an event, so that what a restart brings back shows which reports
are in it. After each restart: every durable acknowledgement is there, nothing is half there, ages go on, and
incarnations, sequences, tombstones, events, counters and the revision are right.

MUSTER_SEED repeats a run's choices (it is printed).
"""
import datetime
import os
import random
import threading
import time
import unittest

from http_client import Closed, agent_path, card, seconds
from muster_node import Node, main, wait_until

KILLS = 50
KILLS_WHILE_STARTING = 8
CLIENTS = 4
AGENTS = 5  # of each client
STATES = {"requests": {"kind": "counter"}, "incidents": {"kind": "event"}}
GONE = (Closed, ConnectionError, TimeoutError)


def nanos(instant):
    """RFC 3339 as nanoseconds since the epoch, exactly."""
    whole, _, fraction = instant.rstrip("Z").partition(".")
    at = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc)
    return int(at.timestamp()) * 10**9 + int(fraction.ljust(9, "0") or 0)


class Life:
    """What one incarnation was sent, and what of it was acknowledged as durable."""

    def __init__(self, incarnation, version):
        self.incarnation = incarnation
        self.version = version  # of its card
        self.sent = {}  # k: (increment, generated_at)
        self.durable = set()

    def next_report(self, chance):
        k = len(self.sent) + 1
        at = time.time_ns()
        stamp = datetime.datetime.fromtimestamp(at // 10**9, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
        increment = chance.randrange(1, 1000)
        self.sent[k] = (increment, at)
        return k, {"incarnation": self.incarnation, "sequence": k, "generated_at": f"{stamp}.{at % 10**9:09d}Z",
                   "states": {"queue_depth": k, "load": (k % 100) / 100}, "counters": {"requests": increment},
                   "events": [{"name": "incidents", "data": {"k": k}}]}


class Agent:
    def __init__(self, id):
        self.id = id
        self.life = None
        self.ended = []  # incarnations
        self.versions = 0
        self.doubt = None  # "put" or "delete", sent but not answered


class Client(threading.Thread):
    """Works on its agents until the node is gone."""

    def __init__(self, number, agents, node, chance, answered):
        super().__init__(name=f"client {number}")
        self.agents, self.node, self.chance, self.answered = agents, node, chance, answered
        self.revision = 0  # the highest that was acknowledged as durable
        self.failure = None

    def run(self):
        try:
            with self.node.connect(contract=None) as self.connection:
                while True:
                    self.step(self.chance.choice(self.agents))
                    self.answered.release()
        except GONE:
            pass
        except Exception as error:
            self.failure = repr(error)

    def step(self, agent):
        dice = self.chance.random()
        if agent.life is None or dice < 0.12:
            self.put(agent)
        elif dice < 0.18:
            self.delete(agent)
        elif dice < 0.3:
            self.upload()
        else:
            self.report(agent)

    def put(self, agent):
        agent.versions += 1
        agent.doubt = "put"
        response = self.connection.register(agent.id, card(f"version {agent.versions}", states=STATES, lease="1h"))
        answer = response.json()
        assert response.status == (200 if agent.life else 201), response
        if agent.life is None:
            assert all(answer["incarnation"] > ended for ended in agent.ended), (answer, agent.ended)
            agent.life = Life(answer["incarnation"], agent.versions)
        assert answer["incarnation"] == agent.life.incarnation, answer
        agent.life.version, agent.doubt = agent.versions, None
        self.revision = max(self.revision, answer["revision"])

    def delete(self, agent):
        agent.doubt = "delete"
        response = self.connection.deregister(agent.id)
        assert response.status == 200, response
        agent.ended.append(agent.life.incarnation)
        agent.life, agent.doubt = None, None
        self.revision = max(self.revision, response.json()["revision"])

    def report(self, agent):
        ack = self.chance.choice(("durable", "durable", "applied", "queued"))
        k, report = agent.life.next_report(self.chance)
        response = self.connection.report(agent.id, report, "?ack=" + ack)
        assert response.status == (202 if ack == "queued" else 200), response
        if ack == "durable":
            agent.life.durable.add(k)
            self.revision = max(self.revision, response.json()["revision"])

    def upload(self):
        alive = [agent for agent in self.agents if agent.life]
        reports = [agent.life.next_report(self.chance) for agent in alive]
        response = self.connection.upload([{"id": agent.id, **report} for agent, (_, report) in zip(alive, reports)],
                                          "?ack=durable")
        answer = response.json()
        assert response.status == 200 and answer["accepted"] == len(alive), response
        for agent, (k, _) in zip(alive, reports):
            agent.life.durable.add(k)


class Crash(unittest.TestCase):
    def setUp(self):
        self.seed = int(os.environ.get("MUSTER_SEED") or random.SystemRandom().randrange(2**32))
        print(f"MUSTER_SEED={self.seed}", flush=True)
        self.chance = random.Random(self.seed)
        self.agents = [[Agent(f"agent-{c}-{i}") for i in range(AGENTS)] for c in range(CLIENTS)]
        self.revision = 0

    def test_nothing_acknowledged_is_lost(self):
        # Often enough that crashes meet every stage of checkpoints, trims and flushes.
        node = Node(config="[node]\ncheckpoint_every = 5\n[store]\nmemory_bytes = \"1MiB\"\n")
        starts = sorted(self.chance.sample(range(KILLS), KILLS_WHILE_STARTING))
        with node:
            for kill in range(KILLS):
                self.check(node)
                self.load_and_kill(node, kill)
                if kill in starts:
                    node.start(ready=False)
                    wait_until(lambda: node.port_written() or self.chance.random() < 0.2, "the start")
                    node.kill()
                node.start()
            self.check(node)
            reports = sum(len(agent.life.sent) for agents in self.agents for agent in agents if agent.life)
            print(f"{KILLS + KILLS_WHILE_STARTING} kills, {self.total} requests, {reports} reports of living agents",
                  flush=True)
            self.assertEqual(node.stop(), 0)

    total = 0

    def load_and_kill(self, node, round):
        """Kills after a random number of answers, and then not at once."""
        answered = threading.Semaphore(0)
        clients = [Client(number, agents, node, random.Random(f"{self.seed} {round} {number}"), answered)
                   for number, agents in enumerate(self.agents)]
        for client in clients:
            client.start()
        for _ in range(self.chance.randrange(1, 200)):
            while not answered.acquire(timeout=0.5):
                self.assertTrue(any(client.is_alive() for client in clients), [client.failure for client in clients])
            self.total += 1
        moment = time.perf_counter_ns() + self.chance.randrange(3_000_000)
        while time.perf_counter_ns() < moment:
            pass
        node.kill()
        for client in clients:
            client.join()
            self.assertIsNone(client.failure)
            self.revision = max(self.revision, client.revision)

    def check(self, node):
        with node.connect() as connection:
            self.assertGreaterEqual(connection.get("/livez").revision, self.revision)
            for agents in self.agents:
                for agent in agents:
                    with self.subTest(agent=agent.id, seed=self.seed):
                        self.check_agent(connection, agent)
            living = sum(agent.life is not None for agents in self.agents for agent in agents)
            found = connection.discover({"count_total": True, "limit": 1}).json()
            self.assertEqual(found["total"], living)

    def check_agent(self, connection, agent):
        asked_at = time.time_ns()
        response = connection.agent(agent.id)
        got_at = time.time_ns()
        found = response.json() if response.status == 200 else None
        self.settle(agent, found)
        if agent.life is None:
            self.assertEqual(response.status, 410 if agent.ended else 404, response)
        else:
            self.assertIsNotNone(found, response)
            self.assertEqual(found["incarnation"], agent.life.incarnation)
            self.assertEqual(found["card"]["name"], f"version {agent.life.version}")
            self.check_reports(connection, agent, found, asked_at, got_at)
        if agent.ended:
            ended = self.chance.choice(agent.ended)
            self.assertEqual(connection.report(agent.id, {"incarnation": ended, "states": {"load": 1}}).status, 410)

    def settle(self, agent, found):
        """The store decides what became of the one request that was not answered."""
        doubt, agent.doubt = agent.doubt, None
        if doubt == "put" and found and agent.life is None:
            agent.life = Life(found["incarnation"], agent.versions)
        elif doubt == "put" and found and found["card"]["name"] == f"version {agent.versions}":
            agent.life.version = agent.versions
        elif doubt == "delete" and found is None:
            agent.ended.append(agent.life.incarnation)
            agent.life = None

    def check_reports(self, connection, agent, found, asked_at, got_at):
        life = agent.life
        page = connection.get(agent_path(agent.id) + "/events?page_size=1000").json()
        self.assertEqual(page["next_page_token"], "")
        there = [event["data"]["k"] for event in page["events"]]
        self.assertEqual(len(set(there)), len(there), "an event twice")
        self.assertLessEqual(set(there), set(life.sent), "an event that nobody sent")
        self.assertLessEqual(life.durable, set(there), "a durable acknowledgement is missing")
        revisions = [event["revision"] for event in page["events"]]
        self.assertEqual(revisions, sorted(revisions))
        states = found["states"]
        self.assertEqual(states.get("requests", {}).get("value", 0), sum(life.sent[k][0] for k in there))
        if not there:
            self.assertEqual(states, {})
            return
        newest = max(there)
        self.assertEqual(states["queue_depth"]["value"], newest)
        self.assertEqual(states["load"]["value"], (newest % 100) / 100)
        generated_at = life.sent[newest][1]
        for name in ("queue_depth", "load"):
            self.assertEqual(nanos(states[name]["generated_at"]), generated_at)
            self.assertGreaterEqual(seconds(states[name]["age"]), (asked_at - generated_at) / 1e9 - 0.002)
            self.assertLessEqual(seconds(states[name]["age"]), (got_at - generated_at) / 1e9 + 0.002)
        # A report that is in is known again; one that was lost may come anew.
        k = self.chance.choice([k for k in there if k > newest - 60])
        again = connection.report(agent.id, {"incarnation": life.incarnation, "sequence": k, "counters": {"requests": 1},
                                             "events": [{"name": "incidents", "data": {"k": k}}]})
        self.assertEqual(again.json()["status"], "duplicate", again)
        life.durable = set(there)


if __name__ == "__main__":
    main()
