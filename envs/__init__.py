"""The games as environments; importing this registers their ids with Gymnasium and PettingZoo."""

import gymnasium
import pettingzoo

from gipfelsturm.envs.batch import GipfelsturmBatch
from gipfelsturm.envs.gipfelsturm import GipfelsturmEnv
from gipfelsturm.envs.tripeaks import TriPeaksEnv

__all__ = ["GipfelsturmBatch", "GipfelsturmEnv", "TriPeaksEnv"]

gymnasium.register(
    id="gipfelsturm/TriPeaks-v0",
    entry_point="gipfelsturm.envs.tripeaks:TriPeaksEnv",
    vector_entry_point="gipfelsturm.envs.tripeaks_vector:TriPeaksVectorEnv",
)
pettingzoo.register("parallel", "gipfelsturm/Gipfelsturm-v0", "gipfelsturm.envs.gipfelsturm:GipfelsturmEnv")
pettingzoo.register("aec", "gipfelsturm/Gipfelsturm-v0", "gipfelsturm.envs.gipfelsturm:gipfelsturm_aec")
