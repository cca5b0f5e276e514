"""Where friends in the same network find the server, as text and as a picture for their cameras."""

import io
import socket

import segno

ANYBODY = "0.0.0.0"
_ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation: nothing is sent there, but the system names the address that would be sent from."""


def own_address() -> str:
    """The address of this machine in its network; raises ValueError if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_ELSEWHERE)
            address: str = asking.getsockname()[0]
        except OSError as fault:
            raise ValueError(f"this machine is in no network: {fault}; leave out --host") from None
    return address


def code_for_terminal(address: str) -> str:
    """A QR code in block characters."""
    out = io.StringIO()
    segno.make(address, micro=False).terminal(out, compact=True)
    return out.getvalue()


def code_as_svg(address: str) -> bytes:
    """A QR code as an SVG file, dark on white."""
    out = io.BytesIO()
    segno.make(address, micro=False).save(out, kind="svg", scale=4, light="white", xmldecl=False)
    return out.getvalue()
