"""``python -m xpdl``: what is installed here, and which libraries exchange arrays with xpdl."""

import sys

from xpdl._cli import main

if __name__ == "__main__":
    sys.exit(main())
