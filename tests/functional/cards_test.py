"""Every real agent card registers, and comes back equal as JSON, to the byte, over restarts too."""
import json

from muster_node import NodeTest, SOURCE_DIR, main

CARDS = SOURCE_DIR / "data/agents/cards.ndjson"


class Cards(NodeTest):
    def test_every_real_card(self):
        with open(CARDS, encoding="utf-8") as file:
            cards = [json.loads(line)["card"] for line in file]
        self.assertGreater(len(cards), 40)
        sent = {}
        for number, card in enumerate(cards):
            for style, text in (("indented", json.dumps(card, indent=2, ensure_ascii=False)), ("ascii", json.dumps(card)),
                                ("tight", json.dumps(card, separators=(",", ":"), ensure_ascii=False))):
                sent[f"{number}/{style}"] = text
        for id, text in sent.items():
            with self.subTest(id=id):
                self.expect(self.connection.register(id, b'{"card":' + text.encode() + b"}"), 201)
        self.look(self.connection, sent)
        self.connection.close()
        self.node.restart()
        with self.node.connect() as connection:
            self.look(connection, sent)
            for number, card in enumerate(cards):
                for skill in card.get("skills", []):
                    found = connection.discover({"filter": f"skill = {json.dumps(skill['id'], ensure_ascii=False)}", "limit": 1000}).json()
                    self.assertIn(f"{number}/ascii", [row["id"] for row in found["agents"]])

    def look(self, connection, sent):
        for id, text in sent.items():
            with self.subTest(id=id):
                agent = connection.agent(id)
                self.assertEqual(agent.json()["card"], json.loads(text))
                self.assertIn(text.encode(), agent.body)


if __name__ == "__main__":
    main()
