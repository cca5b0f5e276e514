"""`gipfelsturm play`: the table in the browser."""

import contextlib

import tyro

DEFAULT_PORT = 8028


def play(port: int = DEFAULT_PORT, no_browser: tyro.conf.FlagCreatePairsOff[bool] = False) -> None:
    """Serve TriPeaks on this machine alone and open it in the browser.

    Args:
        port: Of 127.0.0.1; 0 takes any free one.
        no_browser: Only print the address.
    """
    try:
        from gipfelsturm.play.launch import serve
    except ImportError:
        raise ValueError("the table in the browser needs a server: pip install 'gipfelsturm[play]'") from None
    from gipfelsturm.play.tripeaks_results import usual_file

    with contextlib.suppress(KeyboardInterrupt):  # the usual way to end it
        serve(port, usual_file(), open_browser=not no_browser)
