"""`noctune report` and `noctune export` as commands. Usage: verbs_test.py STORE_EXAMPLE"""
import os
import pathlib
import subprocess
import sys
import tempfile

NOCTUNE = str(pathlib.Path(os.environ["NOCTUNE_BINARY_DIR"]) / "bin" / "noctune")


def noctune(*arguments, code=0):
    done = subprocess.run([NOCTUNE, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout if code == 0 else done.stderr


def check_follow(example, folder):
    """It waits for the file, tells what is in it, and ends with the campaign."""
    results = folder / "late.h5"
    with subprocess.Popen([NOCTUNE, "report", str(results), "--follow"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as follower:
        assert "waiting for" in follower.stderr.readline()
        subprocess.run([example, str(results)], check=True)
        out, _ = follower.communicate(timeout=60)
    assert follower.returncode == 0, follower.returncode
    assert "finished: 3 of 3 hotspots done, 1 improved, best gemm 3.98x" in out.splitlines()[-1], out


def check_forms(results, folder):
    assert "1 improved, 1 unchanged, 1 failed" in noctune("report", results)
    assert "Lineage of the winner" in noctune("report", results, "--hotspot", "gemm")
    said = noctune("report", results, "--html", folder / "r.html", "--csv", folder / "csv", "--t4", folder / "r.json")
    assert said.count("wrote ") == 3, said
    assert (folder / "csv" / "samples.csv").read_text().count("\n") > 10
    assert "no difference" in noctune("report", results, results)


def check_refusals(results, folder):
    assert "it holds gemm, stencil, broken" in noctune("report", results, "--hotspot", "nothing", code=2)
    assert "its minimal executable program is not in" in noctune("export", results, "gemm", code=2)
    noctune("report", results, "--follow", "--html", folder / "x.html", code=2)
    assert "there is no such file" in noctune("report", folder / "absent.h5", code=2)
    cut = folder / "cut.h5"
    cut.write_bytes(results.read_bytes()[:20000])
    assert "cannot read" in noctune("report", cut, code=2)
    (folder / "cut.h5.journal").mkdir()
    assert "noctune rebuild" in noctune("report", cut, code=2)
    assert not (folder / "x.html").exists()
    try:
        import h5py
    except ImportError:
        return
    newer = folder / "newer.h5"
    newer.write_bytes(results.read_bytes())
    with h5py.File(newer, "r+") as f:
        f.attrs["schema_version"] = 99
    assert "it was written by a newer Noctune" in noctune("report", newer, code=2)


def main():
    example = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        results = folder / "results.h5"
        subprocess.run([example, str(results)], check=True)
        check_forms(results, folder)
        check_refusals(results, folder)
        check_follow(example, folder)


main()
