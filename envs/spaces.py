"""The Gymnasium spaces of a game's settings."""

import numpy as np
from gymnasium import spaces

from gipfelsturm.envs.rules.actions import action_count
from gipfelsturm.envs.rules.observation import layout_of
from gipfelsturm.envs.rules.settings import Settings


def observation_space(settings: Settings) -> spaces.Dict:
    """The named int8 fields of `gipfelsturm.envs.rules.observation`, in the order of the row."""
    return spaces.Dict(
        [
            (name, spaces.Box(field.low, field.high, (field.size,), np.int8))
            for name, field in layout_of(settings).items()
        ]
    )


def action_space(settings: Settings) -> spaces.Discrete:
    """The numbering of `gipfelsturm.envs.rules.actions`."""
    return spaces.Discrete(action_count(settings))
