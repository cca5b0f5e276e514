"""Pictures as pixels: all that needs the extra `pictures`, which is loaded when it is first used."""

import itertools
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.picture.theme import LIGHT

if TYPE_CHECKING:
    from PIL.Image import Image

SCALE = 0.5
"""Pixels to a unit of the picture."""


def require_pictures() -> None:
    """Raise ValueError if the packages of the extra `pictures` are not there."""
    try:
        import PIL.Image  # noqa: F401
        import resvg_py  # noqa: F401
    except ImportError:
        raise ValueError("pixels need the packages resvg_py and pillow: pip install resvg_py pillow") from None


def pixels(svg: str) -> NDArray[np.uint8]:
    """A picture as an array (height, width, 3) of red, green and blue."""
    return np.array(_image(svg))


def _image(svg: str) -> "Image":
    import PIL.Image
    import resvg_py

    png = resvg_py.svg_to_bytes(svg_string=svg, zoom=SCALE, skip_system_fonts=True)
    return PIL.Image.open(BytesIO(png)).convert("RGB")


def gif(frames: Iterable[tuple[str, int]]) -> bytes:
    """An animation that goes on from the start, from pictures in the light theme and the milliseconds of each.

    Equal pictures one after another become one frame; the format counts in hundredths of a second.
    """
    images = _frames(frames)
    file = BytesIO()
    next(images).save(file, "GIF", save_all=True, append_images=images, loop=0)
    return file.getvalue()


def _frames(frames: Iterable[tuple[str, int]]) -> Iterator["Image"]:
    from PIL.Image import Dither

    palette = _palette()
    for svg, equal in itertools.groupby(frames, key=lambda frame: frame[0]):
        image = _image(svg).quantize(palette=palette, dither=Dither.NONE)
        image.info["duration"] = sum(ms for _, ms in equal)
        yield image


def _palette() -> "Image":
    """The colours of the theme, and two steps between each two of them for the edges: the same for all frames."""
    import PIL.Image

    colours = np.array([[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in LIGHT.values()])
    pairs = itertools.permutations(colours, 2)
    blends = [(2 * one + other) // 3 for one, other in pairs]
    image = PIL.Image.new("P", (1, 1))
    image.putpalette([int(value) for colour in [*colours, *blends] for value in colour])
    return image
