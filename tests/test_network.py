"""The way in for friends: an address, and pictures of it."""

import re
import socket

import pytest

from gipfelsturm.play.network import code_as_svg, code_for_terminal, own_address


def test_the_own_address_is_one_or_none() -> None:
    try:
        socket.inet_aton(own_address())
    except ValueError as fault:
        assert str(fault).startswith("this machine is in no network: ")


def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(self: socket.socket, address: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    with pytest.raises(ValueError, match=r"^this machine is in no network: Network is unreachable; leave out --host$"):
        own_address()


def test_a_code_for_the_terminal_is_a_square_of_blocks() -> None:
    lines = code_for_terminal("http://192.168.1.5:8028").splitlines()
    widths = {len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines if line.strip("\x1b[0m ")}
    assert len(lines) > 10 and len(widths) == 1
    assert set("".join(lines)) & set("█▀▄")


def test_a_code_for_the_page_is_an_svg_that_differs_with_the_address() -> None:
    one, other = (code_as_svg(f"http://192.168.1.5:8028/gipfelsturm/{token}") for token in ("abc", "abd"))
    assert one.startswith(b"<svg") and one.rstrip().endswith(b"</svg>")
    assert b'fill="#fff"' in one or b"white" in one
    assert one != other
    assert len(one) < 10_000
