"""What a training is told: one struct for each kind, read from YAML, with every field open to the command line."""

import difflib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args

import msgspec

from gipfelsturm.agents.catalogue import make_agent
from gipfelsturm.agents.network_weights import MOST_WIDE
from gipfelsturm.configs import FOLDER, PARTNERS
from gipfelsturm.envs.rewards import part_weights
from gipfelsturm.envs.rules.deals import EVALUATION_DEALS
from gipfelsturm.envs.rules.settings import Settings, one_mind, real_time
from gipfelsturm.envs.version import ENV_VERSION
from gipfelsturm.training.yaml_text import read_yaml

Count = Annotated[int, msgspec.Meta(ge=1, le=10**12)]
NotNegative = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
Rate = Annotated[float, msgspec.Meta(gt=0, le=1)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Weight = Annotated[float, msgspec.Meta(ge=0, le=1e6)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
Widths = Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=65_536)], ...], msgspec.Meta(max_length=16)]


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to learn. Without a tempo it is one mind's; None leaves a field to the preset."""

    preset: str
    seats: int | None = None  # or one mind's piles
    stock: int | None = None
    ring: bool | None = None
    tempo: str | None = None
    calls: bool = False

    def __post_init__(self) -> None:
        self.settings()

    def settings(self) -> Settings:
        """What it is played with; raises ValueError for an impossible game."""
        if self.tempo is not None:
            return real_time(
                self.preset, seats=self.seats, stock=self.stock, ring=self.ring, calls=self.calls, tempo=self.tempo
            )
        if self.calls:
            raise ValueError("one mind has nobody to call: leave out calls, or give a tempo")
        return one_mind(self.preset, piles=self.seats, stock=self.stock, ring=self.ring)


class Evaluation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Games that are played between chunks of training, on deals that training never sees."""

    every: Count  # steps
    games: Annotated[int, msgspec.Meta(ge=1, le=EVALUATION_DEALS)]
    first_deal: NotNegative
    baseline: str  # an agent, played once on the same deals

    def __post_init__(self) -> None:
        if self.first_deal + self.games > EVALUATION_DEALS:
            last = self.first_deal + self.games - 1
            raise ValueError(f"deals from {EVALUATION_DEALS} are for training: evaluation must not reach deal {last}")
        make_agent(self.baseline)


class Training(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """What every kind of training is told."""

    env: str  # version of the environments
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
    steps: Count
    checkpoint_seconds: Seconds
    checkpoints: Count  # how many are kept
    evaluation: Evaluation

    def __post_init__(self) -> None:
        if self.env != ENV_VERSION:
            raise ValueError(f"the config is for environments {self.env}, these are {ENV_VERSION}")


class PPO(Training, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="ppo"):
    """sb3-contrib's MaskablePPO, one network for all seats. It discounts nothing, since the game ends by itself."""

    table: Table
    tables: Count  # played side by side
    reward: str
    step_cost: Share  # taken off the reward of each step
    rollout: Count  # steps of each environment between two updates
    batch: Annotated[int, msgspec.Meta(ge=2)]
    epochs: Count
    learning_rate: Rate
    gae_lambda: Share
    clip: Rate
    entropy: Share
    hidden: Widths  # of actor and critic each

    def __post_init__(self) -> None:
        super().__post_init__()
        part_weights(self.reward)
        settings = self.table.settings()
        steps = self.rollout * self.tables * (1 if settings.one_mind else settings.seats)
        if steps % self.batch:
            raise ValueError(f"batch must divide the {steps} steps between two updates, which {self.batch} does not")


class Afterstates(Training, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every training of a network over afterstates is told. Its tables are alike in piles and ring."""

    tables: dict[str, Table]
    wide: Annotated[int, msgspec.Meta(ge=1, le=MOST_WIDE)]  # outputs of the network's first layer
    games: Annotated[int, msgspec.Meta(ge=1, le=100_000)]  # at each table in a chunk
    batch: Count
    learning_rate: Rate  # at the beginning; it falls in a straight line
    last_rate: Share  # below which it does not fall, as a share of the first

    def __post_init__(self) -> None:
        super().__post_init__()
        tables = [table.settings() for table in self.tables.values()]
        if len({(table.seats, table.ring) for table in tables}) != 1 or not all(table.one_mind for table in tables):
            raise ValueError("tables must be one or more of one mind, with the same piles and ring")


class Value(Afterstates, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="value"):
    """Self-play: afterstates are learned from how their games ended."""

    explore: Share  # of the games, with a random action
    trace: Share  # lambda: how much the end of a game counts beside what the network thought on the way


class Rollout(Afterstates, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="rollout"):
    """Decisions are learned from what their choices came to when each was played out."""

    begin: str | None  # a file of weights; None begins at random
    playouts: Count  # of each choice
    depth: NotNegative  # of a playout, in moves
    explore: Share  # of the decisions, taken at random
    contrast: Weight  # of how choices differ, beside what each is worth
    regret: Weight  # of what is given up by taking choices by the softmax of their logits
    temperature: Annotated[float, msgspec.Meta(ge=1e-3, le=1e3)]  # of that softmax


Config = PPO | Value | Rollout
"""Every kind of training there is, `|` between them; `kind` in the YAML tells which."""

MAY_CHANGE = ("steps", "checkpoint_seconds", "checkpoints")
"""What a run may go on with otherwise than it began, since it has no influence on what is learned."""


def find_config(name: Path) -> Path:
    """A config by its path, or one of ours by its file's name.

    Raises:
        ValueError: if there is none.
    """
    if name.is_file():
        return name
    ours = FOLDER / name.name
    if not ours.is_file():
        names = ", ".join(sorted(file.name for file in FOLDER.glob("*.yaml") if file.name != PARTNERS.name))
        raise ValueError(f"there is no config {name}: name a YAML file, or one of ours: {names}")
    return ours


def read_config(path: Path, overrides: Sequence[str] = ()) -> Config:
    """A config from a YAML file.

    Args:
        overrides: `key=value` each, the key dotted for nested fields, the value in YAML.

    Raises:
        ValueError: for a file that cannot be read, a key that is unknown or missing, or a value out of its range.
    """
    try:
        tree = read_yaml(path.read_bytes())
    except OSError as fault:
        raise ValueError(f"cannot read {path}: {fault.strerror}") from None
    except ValueError as fault:
        raise ValueError(f"{path}: {fault}") from None
    if not isinstance(tree, dict):
        raise ValueError(f"{path} is no config: it must hold keys and values")
    if "kind" not in tree:
        raise ValueError(f"{path}: the key kind is missing")
    for override in overrides:
        _set(tree, *override.split("=", 1))
    try:
        config: Config = msgspec.convert(tree, Config, strict=False)
    except msgspec.ValidationError as fault:
        raise ValueError(f"{path}: {_sentence(str(fault), tree['kind'])}") from None
    return config


def write_config(config: Config) -> bytes:
    """A config as YAML, which reads as the same config."""
    return msgspec.yaml.encode(config)


def differences(config: Config, other: Config) -> list[str]:
    """The keys, nested ones dotted, in which two configs differ."""
    return _differences(msgspec.to_builtins(config), msgspec.to_builtins(other))


def _differences(one: dict[str, Any], other: dict[str, Any], prefix: str = "") -> list[str]:
    keys: list[str] = []
    for key in one | other:
        mine, theirs = one.get(key), other.get(key)
        if isinstance(mine, dict) and isinstance(theirs, dict):
            keys += _differences(mine, theirs, f"{prefix}{key}.")
        elif mine != theirs:
            keys.append(prefix + key)
    return keys


def _set(tree: dict[str, Any], key: str, value: str) -> None:
    """Set a dotted key to a value in YAML."""
    *above, last = key.split(".")
    branch: Any = tree
    for name in above:
        branch = branch.get(name) if isinstance(branch, dict) else None
    if not isinstance(branch, dict):
        raise ValueError(f"unknown key {key}: {'.'.join(above)} is no group of keys")
    try:
        branch[last] = read_yaml(value.encode())
    except ValueError as fault:
        raise ValueError(f"{key}: {fault}") from None


def _sentence(fault: str, tag: str) -> str:
    """What msgspec finds wrong with a config of a kind, with the dotted key in front."""
    words, _, path = fault.partition(" - at `$.")
    path = path.rstrip("`")
    if found := re.fullmatch("Object contains unknown field `(.*)`", words):
        (kind,) = (kind for kind in get_args(Config) if kind.__struct_config__.tag == tag)
        near = difflib.get_close_matches(found[1], list(_keys(kind)), n=1, cutoff=0.7)
        return f"unknown key {_dotted(path, found[1])}" + (f": did you mean {near[0]}?" if near else "")
    if found := re.fullmatch("Object missing required field `(.*)`", words):
        return f"the key {_dotted(path, found[1])} is missing"
    words = words.replace("`", "")
    return f"{path}: {words}" if path else words


def _keys(struct: type[msgspec.Struct]) -> Iterator[str]:
    """The names of its fields, and of those of the structs in it."""
    for field in msgspec.structs.fields(struct):
        yield field.name
        for inner in (field.type, *get_args(field.type)):
            if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
                yield from _keys(inner)


def _dotted(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
