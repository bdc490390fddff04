#!/usr/bin/env python3
"""Executes the README's tour against a real node: a newcomer who types what stands there gets it.

The tour is every ```console block of README.md. A line that begins with `$ ` is a command, lines that
begin with `> ` continue it, the others are what it prints. All commands run in one shell, in order; each
must succeed. Every line that the README shows must come, in its order, among those that are printed;
numbers and blanks may differ, words may not, and `...` stands for anything.

Ports are the test's own: where the README says 127.0.0.1:7700, a free one is used.
"""
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

SOURCE = pathlib.Path(os.environ.get("MUSTER_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
BINARY = pathlib.Path(os.environ.get("MUSTER_BINARY", SOURCE / "build" / "release" / "muster")).resolve()
ADDRESS = "127.0.0.1:7700"
END = "-- end of command --"
SECONDS_MAX = 120
# With the unit of a duration, which changes with its length; an instant; a version.
NUMBER = r"-?\d(?:[\d:TZ+-]|[.,](?=\d))*(?:e[+-]\d+|(?:ns|us|µs|ms|s|m|h|d)\b)?"


def read_tour(markdown):
    """[(command, [expected line])] of every console block."""
    steps = []
    for block in re.findall(r"^```console\n(.*?)^```", markdown, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], []))
            elif line.startswith("> ") or line == ">":
                command, expected = steps[-1]
                steps[-1] = (command + "\n" + line[2:], expected)
            elif line.strip():
                steps[-1][1].append(line)
    return steps


def pattern_of(line):
    """The README's line as a regular expression: numbers and blanks free, `...` anything."""
    parts = re.split(rf"(\.\.\.|…|{NUMBER}|\s+|[─-╿-]{{3,}})", line.strip())
    pattern = ""
    for part in parts:
        if part in ("...", "…"):
            pattern += ".*"
        elif re.fullmatch(NUMBER, part):
            pattern += NUMBER
        elif part and not part.strip():
            pattern += r"\s+"
        elif re.fullmatch(r"[─-╿-]{3,}", part):
            pattern += r"[─-╿-]+"
        else:
            # On a machine that is slow enough, what is fresh in the README has become stale.
            pattern += re.escape(part).replace("fresh;", "(fresh|stale);")
    return re.compile(pattern)


def missing_line(expected, printed):
    """The first expected line that doesn't come in its order; None if all do."""
    rest = iter(printed)
    for line in expected:
        pattern = pattern_of(line)
        if not any(pattern.search(candidate) for candidate in rest):
            return line
    return None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_ready(address):
    deadline = time.monotonic() + SECONDS_MAX
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"http://{address}/readyz", timeout=5) as response:
                if response.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise SystemExit(f"the node that the tour started is not ready after {SECONDS_MAX} s")


class Shell:
    """One shell that runs the tour's commands, each to its end."""

    def __init__(self, directory, address):
        host_port = {"MUSTER_SERVER": f"http://{address}", "MUSTER_LISTEN": address}
        environment = {"HOME": directory, "LC_ALL": "C.UTF-8", "TERM": "dumb", **host_port,
                       "PATH": f"{BINARY.parent}:{os.environ.get('PATH', '/usr/bin:/bin')}"}
        for name, value in os.environ.items():
            if name.endswith("SAN_OPTIONS"):
                environment[name] = value
        self._shell = subprocess.Popen(["bash", "-u"], cwd=directory, env=environment, text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, start_new_session=True)
        self._watchdog = threading.Timer(SECONDS_MAX, self._kill)
        self._watchdog.start()

    def _kill(self):
        os.killpg(self._shell.pid, signal.SIGKILL)

    def run(self, command):
        """(exit code, printed lines)"""
        self._shell.stdin.write(f"{command}\nprintf '\\n%s %s\\n' '{END}' \"$?\"\n")
        self._shell.stdin.flush()
        printed = []
        for line in self._shell.stdout:
            if line.startswith(END):
                return int(line[len(END):]), printed
            if line.strip():
                printed.append(line.rstrip("\n"))
        return None, printed

    def close(self):
        # What the tour left running, the node first of all, ends with its shell.
        self._shell.stdin.write("kill $(jobs -p) 2>/dev/null; wait; exit 0\n")
        self._shell.stdin.close()
        try:
            self._shell.wait(timeout=SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self._kill()
            raise SystemExit("the tour's node doesn't end at SIGTERM") from None
        finally:
            self._watchdog.cancel()


def take(steps, shell, address):
    """None, or what is wrong."""
    for command, expected in steps:
        command = command.replace(ADDRESS, address)
        code, printed = shell.run(command)
        print(f"$ {command}", *printed, sep="\n", flush=True)
        if code is None or code != 0:
            return f"`{command}` ended with {code}"
        if command.rstrip().endswith("&"):
            wait_until_ready(address)
        line = missing_line([e.replace(ADDRESS, address) for e in expected], printed)
        if line is not None:
            return f"`{command}` doesn't print what the README shows: {line!r}"
    return None


def main():
    steps = read_tour((SOURCE / "README.md").read_text(encoding="utf-8"))
    if len(steps) < 5:
        sys.exit(f"README.md has a tour of {len(steps)} commands: its ```console blocks are gone")
    address = f"127.0.0.1:{free_port()}"
    with tempfile.TemporaryDirectory() as directory:
        shell = Shell(directory, address)
        try:
            problem = take(steps, shell, address)
        finally:
            shell.close()
    if problem:
        sys.exit(problem)
    print(f"readme_tour: {len(steps)} commands, all as the README shows them")


if __name__ == "__main__":
    main()
