"""What `make install` puts where, and that it runs from there."""
import os
import pathlib
import subprocess
import tempfile
import unittest

BINARY = pathlib.Path(os.environ["MUSTER_BINARY"])
EXPECTED = ("bin/muster", "share/man/man1/muster.1", "share/bash-completion/completions/muster",
            "share/zsh/site-functions/_muster", "share/fish/vendor_completions.d/muster.fish",
            "share/muster/data/agents/cards.ndjson", "share/muster/data/README.md", "share/doc/muster/LICENSE")


class Install(unittest.TestCase):
    def test_everything_has_its_place_and_runs(self):
        with tempfile.TemporaryDirectory() as prefix:
            subprocess.run(["cmake", "--install", str(BINARY.parent), "--prefix", prefix], check=True,
                           stdout=subprocess.DEVNULL)
            for file in EXPECTED:
                self.assertGreater((pathlib.Path(prefix) / file).stat().st_size, 0, file)
            version = subprocess.run([f"{prefix}/bin/muster", "--version"], check=True, capture_output=True, text=True)
            self.assertRegex(version.stdout, r"^muster \d+\.\d+\.\d+")


if __name__ == "__main__":
    unittest.main(verbosity=2)
