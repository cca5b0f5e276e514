"""The games as environments; importing this registers their ids with Gymnasium."""

import gymnasium

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.tripeaks import TriPeaksEnv

__all__ = ["GipfelsturmBatch", "TriPeaksEnv"]

gymnasium.register(
    id="gipfelsturm/TriPeaks-v0",
    entry_point="gipfelsturm.envs.tripeaks:TriPeaksEnv",
    vector_entry_point="gipfelsturm.envs.tripeaks_vector:TriPeaksVectorEnv",
)
