"""Games that another process plays: a module of its own, since a spawned process imports what it runs."""

import gymnasium
import numpy as np

from playing import legal


def fingerprint(seed: int) -> bytes:
    """Everything that three seeded games show, made by module and id as in a worker that imported nothing."""
    env = gymnasium.make("gipfelsturm.envs:gipfelsturm/TriPeaks-v0")
    rng = np.random.default_rng(seed)
    shown = b""
    for begin in (seed, None, None):
        observation, info = env.reset(seed=begin)
        done = False
        while not done:
            shown += b"".join(field.tobytes() for field in observation.values()) + info["action_mask"].tobytes()
            observation, _, terminated, truncated, info = env.step(legal(rng, info["action_mask"]))
            done = terminated or truncated
        shown += info["deal"].encode()
    return shown
