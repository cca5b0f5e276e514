"""What the environments show of a table, in each render mode."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.picture.drawing import table_svg
from gipfelsturm.envs.picture.raster import pixels, require_pictures
from gipfelsturm.envs.picture.scene import scene_of_game
from gipfelsturm.envs.rules.board import board_text
from gipfelsturm.envs.rules.settings import Settings

RENDER_MODES = ["ansi", "rgb_array"]
Frame = str | NDArray[np.uint8]  # a text, or pixels (height, width, 3)
_MOVES_A_SECOND = 5


def check_render_mode(mode: str | None) -> None:
    """Raise ValueError for an unknown mode, and for one whose packages are not installed."""
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"unknown render_mode {mode!r}: use 'ansi', 'rgb_array' or None")
    if mode == "rgb_array":
        require_pictures()


def paced(metadata: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """An environment's metadata with the pace at which its steps are to be watched: ticks have their own."""
    pace = _MOVES_A_SECOND if settings.one_mind else 1000 / settings.tick_ms
    return metadata | {"render_modes": list(RENDER_MODES), "render_fps": pace}  # wrappers add modes to the list


def warn_of_no_mode() -> None:
    """Say why nothing is rendered."""
    gymnasium.logger.warn("render needs render_mode='ansi' or 'rgb_array' when the environment is made")


def rendered(mode: str, settings: Settings, game: np.void) -> Frame:
    """The table as text or as pixels; at the real-time table, seat 0 is at the lower edge."""
    return board_text(game) if mode == "ansi" else pixels(picture(settings, game))


def picture(settings: Settings, game: np.void) -> str:
    """The table as SVG."""
    return table_svg(scene_of_game(settings, game))
