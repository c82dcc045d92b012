"""Make docs/images/page.png: the page of a build of the invented example, with the evidence of one link.

Needs a Chromium, the extra ``dev`` and Pillow. Run it again when the page changes.
"""

import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import whywire

ROOT = Path(__file__).resolve().parent.parent
IMAGE = ROOT / "docs" / "images" / "page.png"
SIZE = {"width": 1440, "height": 900}

STRONGEST_LINK = """
  data.stories[0].links.map((link) => [data.links[link].evidence.length, data.links[link].strength, link])
    .sort((a, b) => b[0] - a[0] || b[1] - a[1])[0][2]
"""
"""Of the links of the first story that with the most evidence, and of these the strongest."""


def main() -> int:
    """Write the image and return 0, or 1 if there is no Chromium."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("no Chromium was found")
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        whywire.build(str(ROOT / "examples" / "news.jsonl")).write(folder, title="Eight invented stories")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto((Path(folder) / "report.html").as_uri())
        page.evaluate(f"location.hash = linkAddress({STRONGEST_LINK})")
        page.locator("#panel").wait_for()
        page.wait_for_timeout(500)  # the canvas is drawn after the panel
        IMAGE.parent.mkdir(exist_ok=True)
        screenshot = Image.open(BytesIO(page.screenshot()))
        screenshot.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(IMAGE, optimize=True)
        browser.close()
    print(f"{IMAGE.relative_to(ROOT)}: {IMAGE.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
