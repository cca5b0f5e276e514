"""The trainer of each kind of config."""

from gipfelsturm.training.config import PPO, Config, Rollout, Value
from gipfelsturm.training.trainer import Trainer


def make_trainer(config: Config) -> Trainer:
    """A new trainer; what it is not told it draws from the global generators of torch and NumPy."""
    match config:
        case PPO():
            from gipfelsturm.training.ppo import PPOTrainer  # takes seconds to import

            return PPOTrainer(config)
        case Value():
            from gipfelsturm.training.value import ValueTrainer

            return ValueTrainer(config)
        case Rollout():
            from gipfelsturm.training.rollout import RolloutTrainer

            return RolloutTrainer(config)
