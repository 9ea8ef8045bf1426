"""The HTML report in headless Chromium: it draws, in light and dark, wide and narrow, without console messages and
without a request. Usage: browser_test.py STORE_EXAMPLE. NOCTUNE_SHOTS names a folder that keeps the screenshots."""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

SKIPPED = 77
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")


def shoot(page, picture, width, dark):
    """Returns what the browser logged about the page."""
    done = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
         "--enable-logging=stderr", "--virtual-time-budget=2000", f"--user-data-dir={picture.parent}/profile",
         # Every name resolves to nothing, so a request of the page would be logged as an error.
         "--host-resolver-rules=MAP * ~NOTFOUND", f"--blink-settings=preferredColorScheme={0 if dark else 1}",
         f"--window-size={width},1800", f"--screenshot={picture}", page.as_uri()],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=True)
    return [line for line in done.stdout.splitlines() if "CONSOLE" in line]


def pixels(picture):
    """Width, height and rows of RGB bytes of an 8-bit PNG without interlacing."""
    data = picture.read_bytes()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
            assert depth == 8 and colour in (2, 6)
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    step = 3 if colour == 2 else 4
    raw, rows, before = zlib.decompress(packed), [], bytearray(width * step)
    for y in range(height):
        start = y * (width * step + 1)
        kind, line = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
        for x in range(width * step):
            left = line[x - step] if x >= step else 0
            corner = before[x - step] if x >= step else 0
            up = before[x]
            if kind == 1:
                line[x] = (line[x] + left) & 255
            elif kind == 2:
                line[x] = (line[x] + up) & 255
            elif kind == 3:
                line[x] = (line[x] + (left + up) // 2) & 255
            elif kind == 4:
                p = left + up - corner
                a, b, c = abs(p - left), abs(p - up), abs(p - corner)
                line[x] = (line[x] + (left if a <= b and a <= c else up if b <= c else corner)) & 255
        rows.append(line)
        before = line
    return width, height, step, rows


def check_picture(picture, dark):
    width, _, step, rows = pixels(picture)
    ground = tuple(rows[2][2 * step:2 * step + 3])
    assert (sum(ground) < 150) == dark, f"{picture.name}: the background is {ground}"
    inked = sum(tuple(row[x * step:x * step + 3]) != ground for row in rows[::4] for x in range(0, width, 4))
    assert inked > 500, f"{picture.name} is nearly empty"
    edge = [tuple(row[(width - 2) * step:(width - 2) * step + 3]) for row in rows]
    assert all(one == ground for one in edge), f"{picture.name}: the page is wider than the screen"


def main():
    if not BROWSER:
        print("skipped: no chromium")
        return SKIPPED
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(os.environ.get("NOCTUNE_SHOTS", scratch))
        results, page = pathlib.Path(scratch) / "example.h5", pathlib.Path(scratch) / "report.html"
        subprocess.run([sys.argv[1], str(results)], check=True)
        noctune = pathlib.Path(os.environ["NOCTUNE_BINARY_DIR"]) / "bin" / "noctune"
        subprocess.run([str(noctune), "report", str(results), "--html", str(page)], check=True)
        text = page.read_text()
        assert not re.search(r"https?://|<script|<link|<img|@import", text), "the page names something outside"
        for width in (1200, 390):
            for dark in (False, True):
                picture = folder / f"report-{width}-{'dark' if dark else 'light'}.png"
                said = shoot(page, picture, width, dark)
                assert not said, f"the browser says: {said}"
                check_picture(picture, dark)
    return 0


sys.exit(main())
