"""docs/reliability.md: enough rows, and every test that it names exists.
Usage: reliability_page_test.py SOURCE BUILD CTEST"""
import pathlib
import re
import shlex
import subprocess
import sys

FEWEST_ROWS = 40
MACHINES = ("NVIDIA GPU", "AMD GPU", "DCU", "two nodes")

source, build, ctest = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
problems = []


def fault_rows(page):
    """(injection, behaviour, tests) of every row below the heading."""
    for line in page.split("## The fault table", 1)[1].splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 3 and cells[0] != "injection" and not set(cells[0]) <= set("-"):
            yield cells


def ctest_commands():
    """Of every test: its command line."""
    listed = subprocess.run([ctest, "--test-dir", build, "-N", "-V"], text=True, capture_output=True, check=True).stdout
    commands = dict(re.findall(r"^(\d+): Test command: (.*)$", listed, re.M))
    names = re.findall(r"^\s*Test\s+#(\d+): (\S+)", listed, re.M)
    return {name: commands.get(number, "") for number, name in names}


def gtest_cases():
    """Of every room of tests/: its TEST names."""
    cases = {}
    for file in (source / "tests").rglob("*.cpp"):
        room = file.relative_to(source / "tests").parts[0]
        for suite, name in re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)", file.read_text(), re.M):
            cases.setdefault(room, set()).add(f"{suite}.{name}")
    return cases


def script_of(command):
    """The script among a command's words, else the one source of its program."""
    for word in reversed(shlex.split(command)):
        path = pathlib.Path(word)
        if path.suffix in (".py", ".sh") and path.exists():
            return path.read_text()
        found = list((source / "tests").rglob(re.sub("^[a-z]+_", "", path.name) + ".cpp"))
        if found:
            return found[0].read_text()
    return ""


def check(injection, name, quoted):
    if name not in commands:
        problems.append(f"{injection}: there is no ctest {name}")
        return
    for case in quoted:
        if re.fullmatch(r"\w+\.\w+", case):
            rooms = [room for room, known in cases.items() if case in known]
            if not any(name.startswith(room) for room in rooms):
                problems.append(f"{injection}: {name} has no case {case}" + (f"; it is in {rooms}" if rooms else ""))
        elif case not in script_of(commands[name]):
            problems.append(f"{injection}: {name} has no scenario {case}")


commands, cases = ctest_commands(), gtest_cases()
rows = list(fault_rows((source / "docs/reliability.md").read_text()))
if len(rows) < FEWEST_ROWS:
    problems.append(f"{len(rows)} rows; at least {FEWEST_ROWS} are wanted")
for injection, behaviour, tests in rows:
    if not injection or not behaviour:
        problems.append(f"{injection}: an empty cell")
    if tests.startswith("needs "):
        if not any(machine in tests for machine in MACHINES):
            problems.append(f"{injection}: which machine does it need?")
        for script in re.findall(r"`([^`]+)`", tests):
            if not (source / script).exists():
                problems.append(f"{injection}: there is no {script}")
        continue
    for part in tests.split("; "):
        quoted = re.findall(r"`([^`]+)`", part)
        if len(quoted) < 2:
            problems.append(f"{injection}: name a ctest and its cases, not '{part}'")
        else:
            check(injection, quoted[0], quoted[1:])
print(len(rows), "rows")
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
