"""Agents by name: our own, and anybody's as `module:factory`."""

import difflib
import importlib
import re
import reprlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from gipfelsturm.agents.caller import CallingAgent
from gipfelsturm.agents.human import HumanAgent
from gipfelsturm.agents.human_profiles import PREFIX, PROFILES
from gipfelsturm.agents.learned import DEPTH, PLAYOUTS, LearnedAgent, LearnedSearchAgent
from gipfelsturm.agents.matching import MatchingAgent
from gipfelsturm.agents.playouts import TO_THE_END
from gipfelsturm.agents.protocol import Agent
from gipfelsturm.agents.scripted import POLICIES, ScriptedAgent
from gipfelsturm.agents.search import POLICY, CountingAgent, SearchAgent
from gipfelsturm.agents.weights_player import read_player, read_searcher

CATALOGUE: dict[str, Callable[[], Agent]] = {name: partial(ScriptedAgent, name) for name in POLICIES}
CATALOGUE |= {"counting": CountingAgent, "search": SearchAgent, "learned": LearnedAgent}
CATALOGUE["learned-search"] = LearnedSearchAgent

SEARCH = re.compile(r"search@(\d+)(?:@([a-z]+)(?:@(\d+))?)?", re.ASCII)
LEARNED_SEARCH = re.compile(r"learned-search(?:@([^@]*[^@\d][^@]*))?(?:@(\d+)(?:@(\d+))?)?", re.ASCII)
WRAPPERS: dict[str, Callable[[Agent], Agent]] = {
    "calling-": CallingAgent,
    "saying-": partial(CallingAgent, heeds=False),
    "matching-": MatchingAgent,
}
"""By what stands before another agent's name."""
LEARNED_BY = "learned@"
ORACLE = "oracle"
"""Sees every card, and so is no agent and sits in no seat: the ceiling in every table of results."""


def make_agent(name: str) -> Agent:
    """A new agent of that name, or from the factory that `module:factory` names, called without arguments.

    `search@400` searches by 400 playouts a decision, `search@400@uncover` by another playout policy, and
    `search@400@uncover@12` breaks its playouts off after 12 moves; so do `learned-search@400` and
    `learned-search@400@12`. `learned@FILE.safetensors` plays by the weights in a file, or in a run's folder, and
    `learned-search@FILE.safetensors@400@12` searches with them: a path with neither `+` nor `@`.
    `human-quick` and the other profiles of `gipfelsturm.agents.human_profiles` are human-like; `calling-NAME` is an
    agent that talks, `saying-NAME` one that talks and does not listen, `matching-NAME` one that is never faster than
    its partners.

    Raises:
        ValueError: for a name that nobody has, with the nearest one, a factory that cannot be imported, or a file that
            holds no weights of these environments.
    """
    prefixes = _prefixes(name)
    agent = _make_plain(name[sum(map(len, prefixes)) :])
    for prefix in reversed(prefixes):
        agent = WRAPPERS[prefix](agent)
    return agent


def _prefixes(name: str) -> list[str]:
    """Of `WRAPPERS`, what stands before a name, from its beginning."""
    found: list[str] = []
    left = name
    while prefix := next((known for known in WRAPPERS if left.startswith(known)), ""):
        if prefix in found:
            raise ValueError(f"unknown agent {reprlib.repr(name)}: {prefix!r} may stand in it once, not twice")
        found.append(prefix)
        left = left.removeprefix(prefix)
    return found


def _make_plain(name: str) -> Agent:
    if name.startswith(LEARNED_BY):
        return read_player(Path(name.removeprefix(LEARNED_BY)))
    if ":" in name:
        return _call_factory(name)
    if name == ORACLE:
        raise ValueError(f"{ORACLE!r} sees every card and can sit in no seat: use one of {', '.join(CATALOGUE)}")
    if name.startswith("search@"):
        return _search(name)
    if name.startswith(PREFIX):
        return _human(name)
    if name.startswith("learned-search@"):
        return _learned_search(name)
    if name not in CATALOGUE:
        near = difflib.get_close_matches(name, CATALOGUE, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(CATALOGUE)}, or module:factory"
        raise ValueError(f"unknown agent {name!r}: {hint}")
    return CATALOGUE[name]()


def _search(name: str) -> Agent:
    told = SEARCH.fullmatch(name)
    if told is None:
        raise ValueError(f"unknown agent {name!r}: a search is search@PLAYOUTS, @POLICY may follow, and then @DEPTH")
    playouts, policy, depth = told.groups()
    return SearchAgent(int(playouts), policy or POLICY, int(depth or TO_THE_END))


def _human(name: str) -> Agent:
    profile = PROFILES.get(name.removeprefix(PREFIX))
    if profile is None:
        raise ValueError(f"unknown agent {name!r}: use one of {', '.join(PREFIX + known for known in PROFILES)}")
    return HumanAgent(profile)


def _learned_search(name: str) -> Agent:
    told = LEARNED_SEARCH.fullmatch(name)
    if told is None:
        raise ValueError(
            f"unknown agent {name!r}: a search with a network is learned-search@PLAYOUTS, or learned-search@FILE or "
            "@FILE@PLAYOUTS by weights of your own, and @DEPTH may follow the playouts"
        )
    file, playouts, depth = told[1], int(told[2] or PLAYOUTS), int(told[3] or DEPTH)
    return LearnedSearchAgent(playouts, depth) if file is None else read_searcher(Path(file), playouts, depth)


def _call_factory(name: str) -> Agent:
    try:
        agent: Agent = _import_factory(name)()
    except TypeError as fault:
        raise ValueError(f"agent {name!r} cannot be made without arguments: {fault}") from fault
    for method in ("reset", "act"):
        if not callable(getattr(agent, method, None)):
            raise ValueError(f"agent {name!r} has no method {method}: see gipfelsturm.agents.protocol")
    return agent


def _import_factory(name: str) -> Callable[[], Agent]:
    module, _, factory = name.partition(":")
    try:
        found: Callable[[], Agent] = getattr(importlib.import_module(module), factory)
    except (ImportError, AttributeError, TypeError, ValueError) as fault:
        raise ValueError(f"agent {name!r} cannot be imported: {fault}") from fault
    if not callable(found):
        raise ValueError(f"agent {name!r} is no factory: {factory} cannot be called")
    return found
