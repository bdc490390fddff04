"""Every subcommand against a real node: what it prints for people and programs, and its exit codes."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

from http_client import card
from muster_node import Node, NodeTest, SOURCE_DIR, binary, environment, main, run

DONE, REFUSED, USAGE, UNREACHABLE, CANNOT_START = range(5)
COMMANDS = ("serve", "register", "report", "discover", "get", "list", "deregister", "status", "bench", "demo", "config")


class Client(NodeTest):
    def muster(self, *arguments, code=DONE, **more):
        """Runs the program against the node; standard output, or the error where one is awaited."""
        server = ("--server", f"http://127.0.0.1:{self.node.port}")
        done, out, err = run(*arguments, *server, **more)
        self.assertEqual(done, code, f"{arguments}\n{out}\n{err}")
        self.assertEqual("Sanitizer" in err, False, err)
        return err if code != DONE else out

    def json(self, *arguments, **more):
        return json.loads(self.muster(*arguments, "--json", **more))

    def test_an_agent_s_life(self):
        born = self.json("register", "a b/c", "--name", "A", "--skill", "translate", "--label", "region=eu", "--lease", "1h")
        self.assertEqual(born["change"], "created")
        self.assertEqual(self.json("report", "a b/c", "load=0.4", "availability=ready", "location=52.5,13.4")["status"], "applied")
        agent = self.json("get", "a b/c")
        self.assertEqual(agent["labels"], {"region": "eu"})
        self.assertEqual({name: state["value"] for name, state in agent["states"].items()},
                         {"load": 0.4, "availability": "ready", "location": {"latitude": 52.5, "longitude": 13.4}})
        found = self.json("discover", 'skill = "translate" AND load < 0.7', "--order-by", "load", "--total")
        self.assertEqual(([row["id"] for row in found["agents"]], found["total"]), (["a b/c"], 1))
        found = self.json("discover", "--near", "52.5,13.4,1000", "--rank", "load=-1", "--field", "name", "--freshness", "any",
                          "--max-age", "load=1h", "--deadline", "20s", "--limit", "3")
        self.assertEqual(found["agents"][0]["card"], {"name": "A"})
        self.assertEqual(found["agents"][0]["score"], -0.4)
        self.assertEqual([row["id"] for row in self.json("list")["agents"]], ["a b/c"])
        self.assertIn("revision", self.json("deregister", "a b/c"))
        self.muster("get", "a b/c", code=REFUSED)

    def test_tables_for_people(self):
        self.muster("register", "alpha", "--name", "First", "--label", "region=eu")
        self.muster("report", "alpha", "load=0.25")
        for command in (("discover", "load < 0.5"), ("list",), ("get", "alpha"), ("status",)):
            with self.subTest(command=command):
                out = self.muster(*command)
                self.assertNotIn("\x1b", out, "colours where there is no terminal")
                if command != ("status",):
                    self.assertIn("alpha", out)
        self.assertIn("0.25", self.muster("discover", "load < 0.5"))
        out = self.muster("discover", "load > 0.5")
        self.assertNotIn("alpha", out)

    def test_what_an_agent_wrote_can_t_play_with_the_terminal(self):
        self.expect(self.connection.register("evil", {
            "card": {"name": "x", "description": "\u001b]0;title\u0007"}, "states": {"mood": {"type": "string"}}}), 201)
        self.expect(self.connection.report("evil", {"states": {"mood": "\u001b[31mred\u009b32m\u0007\r\n"}}), 200)
        for command in (("list",), ("get", "evil"), ("discover",)):
            out = self.muster(*command)
            self.assertIn("red", out)
            self.assertNotIn("\x1b", out)
            self.assertNotIn("\x07", out)
            self.assertNotIn("\x9b", out)

    def test_json_is_one_document_for_every_command(self):
        self.muster("register", "a", "--name", "A")
        for command in (("get", "a"), ("list",), ("discover",), ("status",), ("report", "a", "load=0.5"), ("deregister", "a")):
            with self.subTest(command=command):
                self.assertIsInstance(self.json(*command), dict)

    def test_files_and_standard_input(self):
        with tempfile.TemporaryDirectory() as home:
            path = os.path.join(home, "card.json")
            with open(path, "w") as file:
                json.dump({"name": "From a file", "x": [1]}, file)
            self.muster("register", "f", "--card", path, "--max-age", "load=2s")
            self.assertEqual(self.json("get", "f")["card"], {"name": "From a file", "x": [1]})
            self.muster("register", "g", "--card", "-", input='{"name":"From a pipe"}')
            lines = os.path.join(home, "reports.ndjson")
            with open(lines, "w") as file:
                file.write('{"id":"f","states":{"load":0.1}}\n{"id":"g","states":{"load":0.2}}\n')
            self.assertEqual(self.json("report", "--file", lines)["accepted"], 2)
            self.assertEqual(self.json("report", "--file", "-", input='{"id":"g","states":{"load":0.3}}\n')["accepted"], 1)
            self.assertIn("missing", self.muster("register", "h", "--card", home + "/missing", code=USAGE))

    def test_refusals(self):
        self.muster("register", "a", "--name", "A")
        for command, word in ((("get", "nobody"), "nobody"), (("deregister", "nobody"), "nobody"), (("report", "nobody", "load=0.1"), "nobody"),
                              (("report", "a", "load=7"), "load"), (("report", "a", "colour=red"), "colour"),
                              (("discover", "load <"), "filter"), (("discover", "--order-by", "colour"), "colour"),
                              (("deregister", "a", "--if-match", "999"), "999")):
            with self.subTest(command=command):
                self.assertIn(word, self.muster(*command, code=REFUSED))

    def test_mistakes_on_the_command_line(self):
        for command in (("get",), ("get", "a", "b", "c"), ("register",), ("report", "a", "load"), ("discover", "--limit", "many"),
                        ("discover", "--colour"), ("colour",), ("discover", "--near", "here"), ("report", "a", "load=1", "--ack", "soon"),
                        ("discover", "--rank", "load=x"), ("register", "a", "--label", "x")):
            with self.subTest(command=command):
                self.assertTrue(self.muster(*command, code=USAGE))

    def test_tokens(self):
        with tempfile.NamedTemporaryFile("w", suffix=".tokens") as tokens:
            tokens.write("boss admin boss-token-0123456789\n")
            tokens.flush()
            with Node("--token-file", tokens.name) as node:
                at = ("--server", f"127.0.0.1:{node.port}")
                self.assertEqual(run("list", *at)[0], REFUSED)
                self.assertEqual(run("list", *at, "--token", "boss-token-0123456789")[0], DONE)
                self.assertEqual(run("list", *at, "--token-file", tokens.name)[0], DONE)
                self.assertEqual(run("list", *at, env={"MUSTER_TOKEN": "boss-token-0123456789"})[0], DONE)
                self.assertEqual(run("list", *at, "--token", "other-token-0123456789")[0], REFUSED)

    def test_the_server_from_the_environment(self):
        self.assertEqual(run("list", env={"MUSTER_SERVER": f"http://127.0.0.1:{self.node.port}"})[0], DONE)


    def test_bench(self):
        """A short load of every kind, in closed and open loop; the figures agree with the node's."""
        self.muster("register", "before", "--name", "B")
        for loop in ((), ("--rate", "200")):
            done = self.json("bench", "--register", "--agents", "50", "--mix", "report=5,get=2,discover=2,batch=1,register=1,list=1",
                             "--connections", "2", "--window", "2", "--duration", "500ms", "--warm-up", "100ms", "--batch", "20", *loop)
            self.assertEqual((done["errors"], done["broken"], done["unanswered"]), (0, 0, 0), done)
            self.assertEqual(set(done["kinds"]), {"report", "get", "discover", "batch", "register", "list"})
        listed = self.json("list", "--all", "--page-size", "1000")["agents"]
        self.assertGreaterEqual(len(listed), 51)


class Alone(unittest.TestCase):
    """What needs no node."""

    def test_help(self):
        code, out, _ = run("--help")
        self.assertEqual(code, DONE)
        for command in COMMANDS:
            self.assertIn(command, out)
            with self.subTest(command=command):
                code, text, _ = run(command, "--help")
                self.assertEqual(code, DONE)
                self.assertRegex(text, "(?i)example")
                self.assertIn(f"muster {command}", text)

    def test_version(self):
        code, out, _ = run("--version")
        self.assertEqual(code, DONE)
        self.assertRegex(out, r"\d+\.\d+\.\d+")

    def test_no_command(self):
        code, out, err = run()
        self.assertEqual(code, USAGE)
        self.assertIn("serve", out + err)

    def test_no_server(self):
        code, _, err = run("list", "--server", "http://127.0.0.1:1")
        self.assertEqual(code, UNREACHABLE)
        self.assertIn("127.0.0.1:1", err)
        self.assertEqual(run("list", "--server", "nonsense://x")[0], USAGE)

    def test_serve_needs_a_place(self):
        code, _, err = run("serve")
        self.assertEqual(code, USAGE)
        self.assertIn("--data", err)

    def test_a_directory_that_can_t_be_used(self):
        code, _, err = run("serve", "--listen", "127.0.0.1:0", "--data", "/proc/version")
        self.assertEqual(code, CANNOT_START)
        self.assertIn("/proc/version", err)

    def test_man_page_and_completions(self):
        code, out, _ = run("man")
        self.assertEqual(code, DONE)
        self.assertTrue(out.startswith((".TH", ".\\\"", "'\\\"")), out[:40])
        if shutil.which("man"):
            done = subprocess.run(["man", "--warnings", "-l", "-"], input=out, capture_output=True, text=True, env={**os.environ, "MANWIDTH": "80"})
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        for shell in ("bash", "zsh", "fish"):
            code, out, _ = run("completion", shell)
            self.assertEqual(code, DONE, shell)
            for command in COMMANDS:
                self.assertIn(command, out)
            if shutil.which(shell):
                done = subprocess.run([shell, "-n"], input=out, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)


class Config(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.addCleanup(self.home.cleanup)
        self.path = os.path.join(self.home.name, "muster.toml")

    def write(self, text):
        with open(self.path, "w") as file:
            file.write(text)

    def test_check_names_the_line_of_a_mistake(self):
        for text, line in (("[http]\nbody_bytes_max = \"many\"\n", 2), ("[http]\n\nbody_bytes_maxx = 5\n", 3), ("[nothing]\nx = 1\n", 1),
                           ("listen = 5\n", 1), ("[http\n", 1), ("[scheduler]\npolicy = \"random\"\n", 2),
                           ("[scheduler]\nupdate_share = 2.0\n", 2), ("[limits]\nlease_max = \"soon\"\n", 2),
                           ("[[state]]\nname = \"x\"\ntype = \"colour\"\n", 3)):
            with self.subTest(text=text):
                self.write(text)
                code, out, err = run("config", "check", "--config", self.path)
                self.assertEqual(code, USAGE, out + err)
                self.assertIn(f"{self.path}:{line}", out + err)

    def test_check_of_a_good_file(self):
        self.write('listen = "127.0.0.1:0"\ndata = "x"\n[http]\nbody_bytes_max = "2MiB"\n[[state]]\nname = "room"\n')
        code, out, err = run("config", "check", "--config", self.path)
        self.assertEqual((code, err), (DONE, ""))

    def test_precedence_and_origin(self):
        self.write("[http]\nbody_bytes_max = 2000000\nheader_bytes_max = 3000\npipelined_max = 7\n")
        code, out, _ = run("config", "print", "--config", self.path, "--http-pipelined-max", "9",
                           env={"MUSTER_HTTP_HEADER_BYTES_MAX": "4000", "MUSTER_HTTP_PIPELINED_MAX": "8"})
        self.assertEqual(code, DONE)
        for wanted in ("2000000", "4000", "9", "muster.toml", "MUSTER_HTTP_HEADER_BYTES_MAX", "--http-pipelined-max"):
            self.assertIn(wanted, out)

    def test_what_is_printed_can_be_read_again(self):
        code, out, _ = run("config", "print")
        self.assertEqual(code, DONE)
        self.write(out)
        code, again, err = run("config", "check", "--config", self.path)
        self.assertEqual(code, DONE, again + err)

    def test_a_wrong_variable_is_named(self):
        code, out, err = run("config", "check", env={"MUSTER_HTTP_BODY_BYTES_MAX": "many"})
        self.assertEqual(code, USAGE)
        self.assertIn("MUSTER_HTTP_BODY_BYTES_MAX", out + err)


class Demonstration(unittest.TestCase):
    def test_it_ends_by_itself_and_prints_plain_lines(self):
        code, out, err = run("demo", "--data-dir", SOURCE_DIR / "data", env={"DEMO_SECONDS": "2"})
        self.assertEqual(code, DONE, err)
        self.assertNotIn("\x1b", out)
        self.assertGreater(len(out.splitlines()), 5)

    def test_an_interrupt_ends_it_in_order(self):
        process = subprocess.Popen([binary(), "demo", "--data-dir", str(SOURCE_DIR / "data")], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, DONE, out + err)


if __name__ == "__main__":
    main()
