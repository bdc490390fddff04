"""Who may: loopback by default, tokens with scopes, a reload on SIGHUP."""
import os
import signal
import tempfile
import unittest

from http_client import card
from muster_node import Node, main, wait_until

TOKENS = """# name scopes token
reader read reader-token-0123456789

agent report,read agent-token-0123456789
registrar register registrar-token-0123456789
chief admin chief-token-0123456789
"""
CALLS = {  # the scope that each call needs
    ("GET", "/v1/agents/a", None): "read",
    ("GET", "/v1/agents", None): "read",
    ("GET", "/v1/agents/a/events", None): "read",
    ("POST", "/v1/agents:discover", b"{}"): "read",
    ("GET", "/v1/scheduler", None): "read",
    ("GET", "/metrics", None): "read",
    ("POST", "/v1/agents/a/reports", b'{"states":{"load":0.5}}'): "report",
    ("PUT", "/v1/agents/a", b'{"card":{"name":"A"}}'): "register",
    ("PATCH", "/v1/scheduler", b'{"update_share":0.5}'): "admin",
}
SCOPES = {"reader": {"read"}, "agent": {"read", "report"}, "registrar": {"register"},
          "chief": {"read", "report", "register", "admin"}}


class TokenTest(unittest.TestCase):
    def setUp(self):
        handle, self.path = tempfile.mkstemp(prefix="muster-tokens-")
        os.close(handle)
        self.addCleanup(os.unlink, self.path)
        self.write(TOKENS)

    def write(self, text):
        with open(self.path, "w") as file:
            file.write(text)

    def refuses_to_start(self, node, *words):
        try:
            node.start(ready=False)
            self.assertGreater(node.wait(), 0)
            for word in words:
                self.assertIn(word, node.log())
            return node.log()
        finally:
            node.close()


class Tokens(TokenTest):
    def test_scopes(self):
        with Node("--token-file", self.path, token="chief-token-0123456789") as node:
            with node.connect() as connection:
                self.assertEqual(connection.register("a", card("A")).status, 201)
                for (method, path, body), scope in CALLS.items():
                    for name, scopes in SCOPES.items():
                        with self.subTest(call=f"{method} {path}", token=name):
                            response = connection.request(method, path, body, {"Authorization": f"Bearer {name}-token-0123456789"})
                            self.assertEqual(response.status, 200 if scope in scopes else 403, response)
                            if scope not in scopes:
                                self.assertIn(scope, response.json()["detail"])
                                self.assertIn('error="insufficient_scope"', response.headers["www-authenticate"])
                    for authorization in (None, "", "Bearer", "Bearer ", "Bearer nobody-token-0123456789", "Basic cmVhZGVyOng=",
                                          "Bearer reader-token-012345678", "Bearer reader-token-01234567890", "reader-token-0123456789",
                                          "Bearer READER-TOKEN-0123456789", "Bearer " + "x" * 4000):
                        with self.subTest(call=f"{method} {path}", authorization=authorization and authorization[:40]):
                            response = connection.request(method, path, body, {"Authorization": authorization})
                            self.assertEqual(response.status, 401, response)
                            self.assertTrue(response.headers["www-authenticate"].startswith("Bearer"))
                for path in ("/livez", "/readyz", "/openapi.json"):
                    self.assertEqual(connection.request("GET", path, headers={"Authorization": None}).status, 200)
                self.assertEqual(connection.request("GET", "/v1/agents", headers={"Authorization": "bearer reader-token-0123456789"}).status, 200)
            self.assertNotIn("token-0123456789", node.log())

    def test_what_may_not_is_not_told_what_is_there(self):
        with Node("--token-file", self.path) as node, node.connect() as connection:
            self.assertEqual(connection.agent("a").status, 401)
            self.assertEqual(connection.register("a", b"nonsense").status, 401)

    def test_reload_on_sighup(self):
        with Node("--token-file", self.path, token="reader-token-0123456789") as node, node.connect() as connection:
            self.assertEqual(connection.get("/v1/agents").status, 200)
            self.write("fresh read fresh-token-0123456789\n")
            node.signal(signal.SIGHUP)
            wait_until(lambda: connection.get("/v1/agents").status == 401, "the old token to be refused")
            connection.token = "fresh-token-0123456789"
            self.assertEqual(connection.get("/v1/agents").status, 200)
            # A file that is wrong changes nothing, and is complained of with its line.
            self.write("fresh read fresh-token-0123456789\nbroken line\n")
            node.signal(signal.SIGHUP)
            wait_until(lambda: "line 2" in node.log(), "the complaint")
            self.assertEqual(connection.get("/v1/agents").status, 200)
            os.rename(self.path, self.path + ".away")
            try:
                node.signal(signal.SIGHUP)
                wait_until(lambda: node.log().count(self.path) >= 2, "the complaint about the missing file")
                self.assertEqual(connection.get("/v1/agents").status, 200)
            finally:
                os.rename(self.path + ".away", self.path)

    def test_bad_token_files_name_the_line(self):
        for text in ("reader read short\n", "reader\n", "reader colour reader-token-0123456789\n", "",
                     "a read same-token-0123456789\nb read same-token-0123456789\n",
                     "a read one-token-0123456789\na read two-token-0123456789\n", "a read token-with-\u00e9-0123456789\n"):
            with self.subTest(text=text):
                self.write(text)
                self.refuses_to_start(Node("--token-file", self.path), self.path)
        self.refuses_to_start(Node("--token-file", self.path + ".missing"), self.path + ".missing")


class Listening(TokenTest):
    def test_other_addresses_need_a_token_file_or_the_word(self):
        for address in ("0.0.0.0:0", "[::]:0"):
            with self.subTest(address=address):
                log = self.refuses_to_start(Node(listen=address), "--allow-anonymous", "token")
                self.assertIn(address.rsplit(":", 1)[0], log)
        with Node("--token-file", self.path, listen="0.0.0.0:0") as node, node.connect() as connection:
            self.assertEqual(connection.get("/v1/agents").status, 401)
        with Node("--allow-anonymous", listen="0.0.0.0:0") as node, node.connect() as connection:
            self.assertEqual(connection.get("/v1/agents").status, 200)

    def test_loopback_needs_none(self):
        with Node() as node, node.connect() as connection:
            self.assertEqual(connection.get("/v1/agents").status, 200)

    def test_bad_addresses(self):
        for address in ("", "nonsense", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:x", "256.0.0.1:0", "127.0.0.1:-1"):
            with self.subTest(address=address):
                self.refuses_to_start(Node(listen=address))

    def test_a_port_that_is_taken(self):
        with Node() as node:
            self.refuses_to_start(Node(listen=f"127.0.0.1:{node.port}"), str(node.port))


if __name__ == "__main__":
    main()
