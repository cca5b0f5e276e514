"""The Gymnasium spaces of a game's settings."""

from typing import cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from gipfelsturm.envs.rules.actions import action_count
from gipfelsturm.envs.rules.observation import layout_of
from gipfelsturm.envs.rules.settings import Settings

Observation = dict[str, NDArray[np.int8]]


def observation_space(settings: Settings) -> spaces.Space[Observation]:
    """The named int8 fields of `gipfelsturm.envs.rules.observation`, in the order of the row."""
    fields = layout_of(settings).items()
    boxes = [(name, spaces.Box(field.low, field.high, (field.size,), np.int8)) for name, field in fields]
    return cast(spaces.Space[Observation], spaces.Dict(boxes))  # Gymnasium leaves open what a Dict holds


def action_space(settings: Settings) -> spaces.Discrete:
    """The numbering of `gipfelsturm.envs.rules.actions`."""
    return spaces.Discrete(action_count(settings))
