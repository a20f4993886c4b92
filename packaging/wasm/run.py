"""Runs a WebAssembly command under wasmtime (PyPI) as if it were the machine's own: `python3 run.py rhawk.wasm ARGUMENTS`.

It sees all files, the environment, the standard streams, and the folder that it is started in (PWD). What wasmtime made of the
file is kept beside it, as compiling takes longer than most runs.
"""

import os
import pathlib
import sys

from wasmtime import Config, Engine, ExitTrap, Linker, Module, Store, WasiConfig

# The most that it takes: programs that nest as far as the command allows need more than the 512 KiB that it gives unasked.
STACK = 2 << 20


def module_of(file, engine):
    """The compiled module: that of an earlier run, unless the file is newer."""
    kept = file.with_suffix(".cwasm")
    if kept.exists() and kept.stat().st_mtime_ns > file.stat().st_mtime_ns:
        return Module.deserialize_file(engine, str(kept))
    module = Module.from_file(engine, str(file))
    # Another run may be doing the same.
    whole = kept.with_suffix(f".{os.getpid()}")
    whole.write_bytes(module.serialize())
    whole.replace(kept)
    return module


def main():
    file = pathlib.Path(sys.argv[1])
    config = Config()
    config.max_wasm_stack = STACK
    engine = Engine(config)
    linker = Linker(engine)
    linker.define_wasi()
    wasi = WasiConfig()
    wasi.argv = ["rhawk", *sys.argv[2:]]
    wasi.env = list((os.environ | {"PWD": os.getcwd()}).items())
    wasi.preopen_dir("/", "/")
    wasi.inherit_stdin()
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    store = Store(engine)
    store.set_wasi(wasi)
    try:
        linker.instantiate(store, module_of(file, engine)).exports(store)["_start"](store)
    except ExitTrap as end:
        sys.exit(end.code)


main()
