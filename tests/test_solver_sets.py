"""The sets of places that can be gone together, beside a plain search."""

from gipfelsturm.agents.solver_sets import SETS, STEPS, all_sets, find_set
from gipfelsturm.envs.rules.jit import compiled
from twin import COVERS


@compiled
def found(sets: object, gone: int) -> int:
    return find_set(sets, gone)  # type: ignore[arg-type]


def plain_sets() -> dict[int, dict[int, int]]:
    """For each set, as a mask, the set that each of its free places leads to."""
    steps: dict[int, dict[int, int]] = {}
    todo = [0]
    while todo:
        gone = todo.pop()
        if gone in steps:
            continue
        there = {place for place in range(28) if not gone >> place & 1}
        steps[gone] = {place: gone | 1 << place for place in there if there.isdisjoint(COVERS[place])}
        todo += steps[gone].values()
    return steps


def test_sets_and_steps_are_those_of_the_covers() -> None:
    sets, plain = all_sets(), plain_sets()
    assert len(plain) == len(sets.gone) == SETS == 22_932
    assert sum(map(len, plain.values())) == len(sets.place) == STEPS
    gone = sets.gone.tolist()
    for s in range(SETS):
        steps = slice(int(sets.first[s]), int(sets.first[s + 1]))
        after = {place: gone[number] for place, number in zip(sets.place[steps], sets.after[steps], strict=True)}
        assert after == plain[gone[s]]


def test_they_stand_by_size_and_can_be_found() -> None:
    sets = all_sets()
    order = [(mask.bit_count(), mask) for mask in sets.gone.tolist()]
    assert order == sorted(order)
    assert [found(sets, mask) for _, mask in order[::7]] == list(range(SETS))[::7]
    assert found(sets, 2**28 - 1) == SETS - 1
    for impossible in (1, 1 << 9, 2**28 - 1 - (1 << 18), 1 << 3 | 1 << 27):
        assert found(sets, impossible) == -1


def test_nobody_can_write_to_them_by_chance() -> None:
    assert all_sets() is all_sets()
    assert not any(array.flags.writeable for array in all_sets())
