"""src/api/openapi.json passes a public linter, Spectral, with its rules for OpenAPI.

The linter comes from the npm registry once, by package-lock.json, into the directory named by
MUSTER_LINT_DIR (default: build/lint of the tree), and needs no network afterwards. Where it is not there
and the registry can't be reached, the test is skipped, and says so.
"""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from muster_node import SOURCE_DIR, main

HERE = pathlib.Path(__file__).parent
PLACE = pathlib.Path(os.environ.get("MUSTER_LINT_DIR") or SOURCE_DIR / "build/lint")
FILES = ("package.json", "package-lock.json", ".npmrc", ".spectral.json")
UNREACHABLE = re.compile("ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|network")


def is_installed():
    lock = PLACE / "package-lock.json"
    return (PLACE / "node_modules/.bin/spectral").exists() and lock.exists() and \
        lock.read_bytes() == (HERE / "package-lock.json").read_bytes()


class Lint(unittest.TestCase):
    def install(self):
        if is_installed():
            return
        self.assertIsNotNone(shutil.which("npm"), "npm is missing: `make deps` brings it")
        PLACE.mkdir(parents=True, exist_ok=True)
        for name in FILES[:3]:
            shutil.copy(HERE / name, PLACE / name)
        done = subprocess.run(["npm", "ci", "--prefer-offline"], cwd=PLACE, capture_output=True, text=True)
        if done.returncode != 0:
            (PLACE / "package-lock.json").unlink()
            if UNREACHABLE.search(done.stderr):
                self.skipTest("the linter is not installed, and the npm registry can't be reached:\n" + done.stderr[-800:])
            self.fail(done.stderr)

    def test_the_linter_has_nothing_to_say(self):
        self.install()
        shutil.copy(HERE / ".spectral.json", PLACE / ".spectral.json")
        done = subprocess.run(["node_modules/.bin/spectral", "lint", "--fail-severity=hint", "--ruleset", ".spectral.json",
                               str(SOURCE_DIR / "src/api/openapi.json")], cwd=PLACE, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("No results", done.stdout)


if __name__ == "__main__":
    main()
