"""The first layer of the network in training: torch's own layer says the same."""

import numpy as np
import torch

from gipfelsturm.training.feature_sum import feature_sum

FEATURES, WIDTH, MOST = 50, 24, 9


def test_sums_and_gradients_are_those_of_torch() -> None:
    torch.set_num_threads(1)
    dice = np.random.default_rng(1)
    rows = dice.integers(FEATURES, size=(40, MOST)).astype(np.uint16)
    lists = rows.copy()  # which end at the first number that is no row, whatever follows
    for row, ending, found in zip(rows, lists, dice.integers(MOST + 1, size=40), strict=True):
        row[found:], ending[found : found + 1] = FEATURES, FEATURES + found % 2
    assert {int((row < FEATURES).sum()) for row in rows} == set(range(MOST + 1))
    torch.manual_seed(1)
    bag = torch.nn.EmbeddingBag(FEATURES + 1, WIDTH, mode="sum", padding_idx=FEATURES)
    table = torch.nn.Parameter(bag.weight[:FEATURES].detach().clone())
    weights = torch.randn(40, WIDTH)
    ours, theirs = feature_sum(torch.from_numpy(lists), table), bag(torch.from_numpy(rows.astype(np.int64)))
    torch.testing.assert_close(ours, theirs)
    for sums in (ours, theirs):
        (sums.square() * weights).sum().backward()
    assert table.grad is not None and bag.weight.grad is not None
    torch.testing.assert_close(table.grad, bag.weight.grad[:FEATURES])
