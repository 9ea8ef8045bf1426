"""Runs the examples of docs/analysis.md, in order, on the example campaign. Usage: analysis_test.py STORE_EXAMPLE"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
try:
    import h5py  # noqa: F401
    import matplotlib  # noqa: F401
    import pandas  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)


def main():
    page = pathlib.Path(os.environ["NOCTUNE_SOURCE_DIR"]) / "docs" / "analysis.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert len(blocks) >= 6, "the page has lost its examples"
    with tempfile.TemporaryDirectory() as folder:
        for name in ("night.h5", "next.h5"):
            subprocess.run([sys.argv[1], os.path.join(folder, name)], check=True)
        script = pathlib.Path(folder) / "examples.py"
        script.write_text("\n".join(blocks))
        done = subprocess.run([sys.executable, "-W", "error::FutureWarning", script.name], cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        print(done.stdout)
        assert done.returncode == 0, "an example of docs/analysis.md fails"
        assert "geometric mean 1.58" in done.stdout
        assert "interchanged, tiled" in done.stdout
        assert (pathlib.Path(folder) / "convergence.png").stat().st_size > 1000


main()
