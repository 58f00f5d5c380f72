"""Write the digest of the packaged model into the package: to be run when the model is made anew.

python recipes/default/pin.py
"""

import re
from pathlib import Path

from samehand.model import packaged
from samehand.model.folder import manifest_sha256
from samehand.verifier import PACKAGED


def main() -> None:
    place, digest = Path(packaged.__file__), manifest_sha256(PACKAGED)
    written = re.sub(r'(?m)^SHA256 = ".*"$', f'SHA256 = "{digest}"', place.read_text("utf-8"))
    place.write_text(written, "utf-8")
    print(f"{place}: SHA256 is {digest}.")


if __name__ == "__main__":
    main()
