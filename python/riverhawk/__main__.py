"""The command `rhawk`."""

import signal
import sys

from ._engine import run_command


def main() -> None:
    """Run the command with the arguments of the process, and exit with its status."""
    # As a command has them: Python ignores the last two, and raises KeyboardInterrupt for the first.
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    sys.exit(run_command(["rhawk", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
