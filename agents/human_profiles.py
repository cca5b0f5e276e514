"""How human-like partners differ: a table of named profiles, three of them held out of training."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gipfelsturm.agents.rules_of_thumb import CAREFUL, LOOKAHEAD, RANDOM, UNCOVER

PREFIX = "human-"
Span = tuple[int, int]
"""From the least to the most milliseconds; each number of them is as likely."""


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """What a player is like. Chances are thrown anew at each look at the table; the defaults have no traits."""

    policy: int  # of rules_of_thumb: which of the cards that it has noticed it plays
    reaction: Span = (0, 0)  # from a change of the table to the look at it, and from one look in vain to the next
    pause: Span = (0, 0)  # that its hand rests after each action, beyond the tempo's
    attention: float = 1.0  # chance, for each free card, that it notices it
    own_pile: float = 0.0  # chance that it thinks of its own pile alone
    stray_draw: float = 0.0  # chance that it draws although it has found a card to play
    oversight: float = 0.0  # chance that it overlooks what the other hands are up to
    heeds: bool = False  # whether it does what calls ask for
    talks: float = 0.0  # chance, at each change and each draw, that it says what is true
    held_out: bool = False  # kept from training, for evaluation

    def __post_init__(self) -> None:
        if self.attention == 0:
            raise ValueError("attention must be above 0: who notices nothing never plays")


PROFILES = {
    "quick": Profile(policy=UNCOVER, reaction=(200, 400), pause=(0, 400), attention=0.97, own_pile=0.1, oversight=0.05),
    "careful": Profile(
        policy=CAREFUL, reaction=(600, 1200), pause=(0, 1000), attention=0.95, own_pile=0.2, heeds=True, talks=0.5
    ),
    "distracted": Profile(
        policy=UNCOVER, reaction=(400, 3000), pause=(0, 2500), attention=0.8, stray_draw=0.02, oversight=0.1, talks=0.2
    ),
    "selfish": Profile(
        policy=LOOKAHEAD, reaction=(300, 700), pause=(0, 600), attention=0.95, own_pile=0.6, oversight=0.15
    ),
    "clumsy": Profile(
        policy=RANDOM, reaction=(400, 1200), pause=(0, 800), own_pile=0.3, stray_draw=0.08, oversight=0.3
    ),
    "talkative": Profile(
        policy=UNCOVER, reaction=(400, 900), pause=(0, 600), attention=0.93, own_pile=0.15, heeds=True, talks=1.0
    ),
    "veteran": Profile(
        policy=LOOKAHEAD,
        reaction=(250, 500),
        pause=(0, 300),
        attention=0.98,
        own_pile=0.05,
        oversight=0.03,
        heeds=True,
        talks=0.6,
        held_out=True,
    ),
    "relaxed": Profile(
        policy=UNCOVER,
        reaction=(800, 1600),
        pause=(500, 1500),
        attention=0.9,
        own_pile=0.2,
        stray_draw=0.01,
        oversight=0.05,
        heeds=True,
        talks=0.3,
        held_out=True,
    ),
    "novice": Profile(
        policy=RANDOM,
        reaction=(1000, 2500),
        pause=(0, 1500),
        attention=0.85,
        own_pile=0.3,
        stray_draw=0.05,
        oversight=0.2,
        talks=0.1,
        held_out=True,
    ),
}
"""By the name that follows `human-`."""

TRAITS = np.dtype(
    [
        (field, np.int64, (2,))
        if field in ("reaction", "pause")
        else (field, np.int64 if field in ("policy", "heeds") else np.float64)
        for field in Profile.__struct_fields__
        if field != "held_out"
    ]
)


def human_names(held_out: bool) -> tuple[str, ...]:
    """The agents that are kept from training, or those that are not."""
    return tuple(PREFIX + name for name, profile in PROFILES.items() if profile.held_out == held_out)


def traits_of(profile: Profile) -> NDArray[np.void]:
    """A profile as compiled code reads it (1,)."""
    traits = np.zeros(1, TRAITS)
    for name in TRAITS.names or ():
        traits[name] = getattr(profile, name)
    return traits
