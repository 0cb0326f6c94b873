"""The README's example prints what its comments say, and its commands name what exists."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)


def test_example_when_run_prints_what_its_comments_say(tmp_path):
    search = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", EXAMPLE],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )
    expected = re.findall(r"^print\(.*\)  # (.*)$", EXAMPLE, re.MULTILINE)
    assert done.stderr == ""
    assert done.stdout.splitlines() == expected


def test_example_in_length_has_at_most_fifteen_lines():
    assert len(EXAMPLE.splitlines()) <= 15


@pytest.mark.parametrize("target", re.findall(r"\]\((?!https?:)([^)#]+)", README))
def test_link_in_readme_leads_to_a_file(target):
    assert (ROOT / target).is_file()


@pytest.mark.parametrize("module", re.findall(r"python -m (\w+)", README))
def test_command_in_readme_names_a_module_with_a_command_line(module):
    assert (ROOT / module / "__main__.py").is_file()
