"""`gipfelsturm play`: the table in the browser."""

import contextlib
from pathlib import Path

import tyro

DEFAULT_PORT = 8028


def play(
    port: int = DEFAULT_PORT,
    no_browser: tyro.conf.FlagCreatePairsOff[bool] = False,
    host: tyro.conf.FlagCreatePairsOff[bool] = False,
    record: Path | None = None,
) -> None:
    """Serve TriPeaks and Gipfelsturm and open them in the browser, for this machine alone unless told otherwise.

    Args:
        port: To listen on; 0 takes any free one.
        no_browser: Only print the address.
        host: Let friends in the same network in, and print the address for them, also as a QR code.
        record: Keep the record of each finished game of Gipfelsturm in this folder.
    """
    try:
        from gipfelsturm.play.launch import serve
    except ImportError:
        raise ValueError("the table in the browser needs a server: pip install 'gipfelsturm[play]'") from None
    from gipfelsturm.play.database import usual_file

    with contextlib.suppress(KeyboardInterrupt):  # the usual way to end it
        serve(port, usual_file(), not no_browser, host, record)
