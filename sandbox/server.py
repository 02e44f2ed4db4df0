#!/usr/bin/env python3
"""The Python executor's server: see README.md, and --help."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from sextant_sandbox import config, front  # noqa: E402

if __name__ == "__main__":
    os.umask(0o022)  # programs that run as another user read the files created here
    sys.exit(front.run(config.parse()))
