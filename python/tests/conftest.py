"""What all tests need."""

import signal

# A shell that starts the tests in the background has them ignore Ctrl-C, and Python then has no handler.
signal.signal(signal.SIGINT, signal.default_int_handler)
