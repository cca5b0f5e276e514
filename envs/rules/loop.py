"""The loop over a batch: begin, step, reward, observe, and begin anew, game by game.

What surrounds a game in an environment is a `SLOT`: its stream of deals, how long it has run, and what its last step
gave. Deals depend on the slot's stream alone, never on the batch.
"""

import numpy as np
from numpy.typing import NDArray

from gipfelsturm.envs.rules.actions import GAME_OVER, wait_action
from gipfelsturm.envs.rules.chance import GOLDEN, mix
from gipfelsturm.envs.rules.deals import training_deal
from gipfelsturm.envs.rules.jit import compiled, count_bits, inlined, signed
from gipfelsturm.envs.rules.mask import write_mask
from gipfelsturm.envs.rules.moves import act, score
from gipfelsturm.envs.rules.observation import write_observation
from gipfelsturm.envs.rules.realtime import decidable, tick
from gipfelsturm.envs.rules.record import MOST_SEATS, RUNNING, WON, Games, start

SLOT = np.dtype(
    [
        ("stream", np.uint64),  # state of the slot's stream of deals
        ("number", np.uint64),  # of the deal that is being played
        ("reward", np.float64),
        ("parts", np.float64, (3,)),  # win, stock, progress
        ("steps", np.int32),  # since the game began
        ("reasons", np.int8, (3,)),  # refusal code of each seat's last command
        ("terminated", np.bool_),
        ("truncated", np.bool_),
    ],
    align=True,
)

# When a game that has ended is dealt anew, as Gymnasium names it.
NEXT_STEP, SAME_STEP, DISABLED = range(3)

Step = tuple[float, tuple[float, float, float], tuple[int, int, int], bool, bool, int]
"""What a step of one table gives: reward, its parts, refusal codes, terminated, truncated, and how many ticks ran."""


@compiled
def deal_next(g: np.void, slot: np.void) -> None:
    """Begin the next game of a slot's stream; what its last step gave stays."""
    slot["stream"] += GOLDEN
    slot["number"] = training_deal(mix(slot["stream"]))
    start(g, slot["number"])
    slot["steps"] = 0


@inlined
def clear(slot: np.void) -> None:
    """Forget what the last step gave."""
    slot["reward"] = 0.0
    slot["parts"][:] = 0.0
    slot["reasons"][:] = 0
    slot["terminated"] = False
    slot["truncated"] = False


@inlined
def look(g: np.void, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> None:
    """Write every viewer's observation (viewers, size) and mask (viewers, actions)."""
    for viewer in range(len(observations)):
        write_observation(g, viewer, observations[viewer])
        write_mask(g, viewer, masks[viewer])


@inlined
def finish(g: np.void, slot: np.void, before: int, weights: NDArray[np.float64], most_steps: int) -> None:
    """What a step comes to: the flags and the reward, given how many cards lay there before."""
    slot["steps"] += 1
    slot["terminated"] = g["status"] != RUNNING
    slot["truncated"] = not slot["terminated"] and most_steps > 0 and slot["steps"] >= most_steps
    reward(g, slot, before, weights)


@inlined
def reward(g: np.void, slot: np.void, before: int, weights: NDArray[np.float64]) -> None:
    """Write the parts of a step's reward and their weighted sum.

    `progress` is the change of a potential that is cleared/28 while the game runs and 1 at any end, so that over a
    whole game it adds up to 1 however it was played (Ng, Harada, Russell 1999) and no term is negative.
    """
    if slot["reasons"][0] == GAME_OVER:  # which it was before this step: everything has been paid
        slot["parts"][:] = 0.0
        slot["reward"] = 0.0
        return
    won = g["status"] == WON
    after = 0 if slot["terminated"] else count_bits(signed(g["present"]))
    slot["parts"][0] = 1.0 if won else 0.0
    slot["parts"][1] = score(g) / (g["seats"] * (g["dealt"] - 1)) if won else 0.0
    slot["parts"][2] = (before - after) / 28
    slot["reward"] = weights[0] * slot["parts"][0] + weights[1] * slot["parts"][1] + weights[2] * slot["parts"][2]


@inlined
def renew(g: np.void, slot: np.void) -> bool:
    """Under NEXT_STEP: begin the next game in the place of a step, if the last one has ended."""
    if not (slot["terminated"] or slot["truncated"]):
        return False
    deal_next(g, slot)
    clear(slot)
    return True


@inlined
def renew_now(g: np.void, slot: np.void, last_observations: NDArray[np.int8], last_masks: NDArray[np.int8]) -> None:
    """Under SAME_STEP: keep what an ended game showed, and begin the next one."""
    if slot["terminated"] or slot["truncated"]:
        look(g, last_observations, last_masks)
        deal_next(g, slot)


@compiled
def step_minds(
    games: Games,
    slots: NDArray[np.void],
    actions: NDArray[np.int64],
    observations: NDArray[np.int8],
    masks: NDArray[np.int8],
    last_observations: NDArray[np.int8],
    last_masks: NDArray[np.int8],
    weights: NDArray[np.float64],
    most_steps: int,
    autoreset: int,
) -> None:
    """Act once in every game of one mind, dealing anew as `autoreset` says.

    Args:
        actions: (games, viewers), each within the numbering.
        observations: (games, viewers, size).
        masks: (games, viewers, actions).
        last_observations, last_masks: shaped alike; what an ended game showed before SAME_STEP dealt anew.
        weights: (3,) of the reward parts.
        most_steps: after which a running game is truncated; 0 for never.
        autoreset: DISABLED leaves an ended game as it is: its commands are refused.
    """
    for i in range(len(games)):
        g = games[i]
        slot = slots[i]
        if autoreset != NEXT_STEP or not renew(g, slot):
            before = count_bits(signed(g["present"]))
            slot["reasons"][0] = act(g, actions[i, 0])
            finish(g, slot, before, weights, most_steps)
        if autoreset == SAME_STEP:
            renew_now(g, slot, last_observations[i], last_masks[i])
        write_observation(g, 0, observations[i, 0])
        write_mask(g, 0, masks[i, 0])


@compiled
def step_tables(
    games: Games,
    slots: NDArray[np.void],
    actions: NDArray[np.int64],
    observations: NDArray[np.int8],
    masks: NDArray[np.int8],
    last_observations: NDArray[np.int8],
    last_masks: NDArray[np.int8],
    weights: NDArray[np.float64],
    most_steps: int,
    autoreset: int,
) -> None:
    """One tick of every real-time table.

    As `step_minds`, whose loop it repeats, since one loop for both runs half as fast.
    """
    for i in range(len(games)):
        g = games[i]
        slot = slots[i]
        if autoreset != NEXT_STEP or not renew(g, slot):
            before = count_bits(signed(g["present"]))
            tick(g, actions[i], slot["reasons"])
            finish(g, slot, before, weights, most_steps)
        if autoreset == SAME_STEP:
            renew_now(g, slot, last_observations[i], last_masks[i])
        look(g, observations[i], masks[i])


@compiled
def step_table(
    games: Games,
    slots: NDArray[np.void],
    actions: NDArray[np.int64],
    observations: NDArray[np.int8],
    masks: NDArray[np.int8],
    weights: NDArray[np.float64],
    most_steps: int,
    to_decision: bool,
) -> Step:
    """One tick of the first table alone, or the ticks to the next decision; nothing is dealt anew.

    What it gives is returned as plain numbers, since reading them from the slot would take longer than the tick.

    Args:
        actions: (seats,), each within the numbering.
        to_decision: go on as `step_decisions` does.
    """
    g = games[0]
    slot = slots[0]
    before, started = count_bits(signed(g["present"])), signed(g["tick"])
    tick(g, actions, slot["reasons"])
    if to_decision:
        run_on(g, slot, np.full(MOST_SEATS, wait_action(signed(g["seats"])), np.int64), most_steps)
    finish(g, slot, before, weights, most_steps)
    look(g, observations[0], masks[0])
    reasons = (signed(slot["reasons"][0]), signed(slot["reasons"][1]), signed(slot["reasons"][2]))
    parts = (slot["parts"][0], slot["parts"][1], slot["parts"][2])
    return slot["reward"], parts, reasons, slot["terminated"], slot["truncated"], signed(g["tick"]) - started


@compiled
def step_decisions(
    games: Games,
    slots: NDArray[np.void],
    actions: NDArray[np.int64],
    observations: NDArray[np.int8],
    masks: NDArray[np.int8],
    last_observations: NDArray[np.int8],
    last_masks: NDArray[np.int8],
    weights: NDArray[np.float64],
    most_steps: int,
    autoreset: int,
) -> None:
    """One tick of every real-time table, and on with `wait` for all while no free hand can play or draw.

    As `step_minds` otherwise; `most_steps` counts ticks.
    """
    waits = np.full(MOST_SEATS, wait_action(signed(games[0]["seats"])), np.int64)
    for i in range(len(games)):
        g = games[i]
        slot = slots[i]
        if autoreset != NEXT_STEP or not renew(g, slot):
            before = count_bits(signed(g["present"]))
            tick(g, actions[i], slot["reasons"])
            run_on(g, slot, waits, most_steps)
            finish(g, slot, before, weights, most_steps)
        if autoreset == SAME_STEP:
            renew_now(g, slot, last_observations[i], last_masks[i])
        look(g, observations[i], masks[i])


@compiled
def run_on(g: np.void, slot: np.void, waits: NDArray[np.int64], most_steps: int) -> None:
    """Let ticks pass up to one after which somebody can decide; the last of them is left for `finish` to count."""
    nothing = np.zeros(MOST_SEATS, np.int8)
    while g["status"] == RUNNING and not decidable(g) and not 0 < most_steps <= slot["steps"] + 1:
        tick(g, waits, nothing)
        slot["steps"] += 1


@compiled
def deal_where(
    games: Games,
    slots: NDArray[np.void],
    chosen: NDArray[np.bool_],
    observations: NDArray[np.int8],
    masks: NDArray[np.int8],
) -> None:
    """Begin the next game of each chosen slot (games,)."""
    for i in range(len(games)):
        if chosen[i]:
            deal_next(games[i], slots[i])
            clear(slots[i])
            look(games[i], observations[i], masks[i])


@compiled
def read_slots(
    games: Games,
    slots: NDArray[np.void],
    flags: NDArray[np.bool_],
    rewards: NDArray[np.float64],
    reasons: NDArray[np.int8],
    endings: NDArray[np.int64],
) -> int:
    """Copy what the last step gave, in one pass; returns how many games it ended.

    Args:
        flags: (3, games), receives terminated, truncated, and either of them.
        rewards: (4, games), the reward and its three parts.
        reasons: (viewers, games).
        endings: (4, games), status, score, longest streak and deal number of the ended games; zeros of the others.
    """
    ended = 0
    for i in range(len(slots)):
        slot = slots[i]
        over = slot["terminated"] or slot["truncated"]
        flags[0, i] = slot["terminated"]
        flags[1, i] = slot["truncated"]
        flags[2, i] = over
        rewards[0, i] = slot["reward"]
        for part in range(3):
            rewards[1 + part, i] = slot["parts"][part]
        for viewer in range(MOST_SEATS):
            if viewer == len(reasons):
                break
            reasons[viewer, i] = slot["reasons"][viewer]
        if over:
            ended += 1
            endings[0, i] = games[i]["status"]
            endings[1, i] = score(games[i])
            endings[2, i] = games[i]["longest"]
            endings[3, i] = slot["number"]
    return ended


@compiled
def look_all(games: Games, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> None:
    """Write the observations and masks of every game."""
    for i in range(len(games)):
        look(games[i], observations[i], masks[i])
