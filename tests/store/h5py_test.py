"""The results file through h5py, pandas and h5dump. Usage: h5py_test.py STORE_EXAMPLE; 77 when they are missing."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy
    import pandas
except ImportError as missing:
    print(missing)
    sys.exit(77)


def frame(file, table):
    return pandas.DataFrame(file[table][:])


def check_tables(file):
    for name, table in file.items():
        if name == "text_bytes":
            continue
        rows = frame(file, name)
        assert list(rows.columns) == list(table.dtype.names), name
        assert len(rows) == table.shape[0], name
        assert table.maxshape == (None,), name
        assert table.attrs["description"], name
        for column in table.dtype.names:
            assert table.attrs[column + ".description"], (name, column)
            assert column + ".units" in table.attrs, (name, column)
            assert h5py.check_string_dtype(table.dtype[column]) is None or table.dtype[column].kind == "S"


def check_content(file):
    assert file.attrs["status"].decode() == "finished"
    assert file.attrs["schema_version"] == 1
    assert '"rounds"' in file.attrs["config"].decode()
    hotspots = frame(file, "hotspots").set_index("name")
    assert list(hotspots.index) == [b"gemm", b"stencil", b"broken"]
    assert hotspots.loc[b"gemm", "standalone_speedup"] == 3.98
    assert numpy.isnan(hotspots.loc[b"broken", "best_time"])
    verdicts = h5py.check_enum_dtype(file["hotspots"].dtype["verdict"])
    assert hotspots.loc[b"gemm", "verdict"] == verdicts["faster"]

    evaluations = frame(file, "evaluations")
    samples = frame(file, "samples")
    assert evaluations["id"].is_unique
    assert set(samples["evaluation"]) <= set(evaluations["id"])
    timed = evaluations[evaluations["case"] > 0]
    assert len(samples) == 6 * len(timed)
    first = samples[samples["evaluation"] == timed["id"].iloc[0]]
    assert sorted(first["order"]) == list(range(6))
    joined = evaluations.merge(frame(file, "candidates"), left_on="candidate", right_on="id")
    assert len(joined) == len(evaluations)


def check_texts(file):
    texts = frame(file, "texts").set_index("sha")
    candidates = frame(file, "candidates")
    for sha in candidates["source_sha"]:
        place = texts.loc[sha]
        source = file["text_bytes"][place["offset"]:place["offset"] + place["length"]].tobytes()
        assert source.startswith(b"void gemm()")
    kinds = texts["kind"].value_counts()
    assert kinds[b"source"] == 4 and kinds[b"diagnostics"] == 2 and kinds[b"config"] == 1


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "results.h5"
        subprocess.run([sys.argv[1], str(path)], check=True)
        with h5py.File(path) as file:
            check_tables(file)
            check_content(file)
            check_texts(file)
        if shutil.which("h5dump"):
            out = subprocess.run(["h5dump", "-H", str(path)], check=True, capture_output=True, text=True)
            assert 'DATASET "evaluations"' in out.stdout and not out.stderr
    print("ok")


main()
