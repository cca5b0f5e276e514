"""All ids of environments end in the one version."""

import gymnasium
import pettingzoo

import gipfelsturm.envs  # noqa: F401  # registers them
from gipfelsturm.envs.version import ENV_VERSION


def test_every_id_ends_in_it() -> None:
    registries = (gymnasium.registry, pettingzoo.parallel_registry, pettingzoo.aec_registry)
    ids = [name for registry in registries for name in registry if name.startswith("gipfelsturm/")]
    assert len(ids) == 3
    assert all(name.endswith(f"-{ENV_VERSION}") for name in ids)
