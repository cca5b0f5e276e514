"""Pictures as pixels: render modes, animations, notebooks, and what Gymnasium and PettingZoo do with them."""

import re
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.wrappers import RecordVideo
from pettingzoo import AECEnv
from pettingzoo.test import render_test
from PIL import Image

from gipfelsturm.envs import GipfelsturmEnv, TriPeaksEnv
from gipfelsturm.envs.picture.drawing import table_svg
from gipfelsturm.envs.picture.raster import gif, pixels
from gipfelsturm.envs.picture.scene import scene_of_game
from gipfelsturm.envs.rules.record import deal_games
from gipfelsturm.envs.rules.settings import one_mind, real_time
from gipfelsturm.envs.tripeaks_vector import TriPeaksVectorEnv
from playing import WON
from seated import aec, parallel

ENVIRONMENTS: list[Callable[..., Any]] = [TriPeaksEnv, GipfelsturmEnv, TriPeaksVectorEnv]
FORMS: list[tuple[Callable[..., Any], dict[str, Any], tuple[int, int]]] = [
    (TriPeaksEnv, {}, (270, 532)),
    (TriPeaksEnv, {"piles": 3}, (270, 532)),
    (TriPeaksEnv, {"tempo": "brisk"}, (270, 532)),
    (GipfelsturmEnv, {"seats": 1}, (270, 532)),
    (GipfelsturmEnv, {}, (358, 532)),
    (GipfelsturmEnv, {"seats": 3}, (358, 532)),
]


# Render modes


@pytest.mark.parametrize(("make", "form", "size"), FORMS)
def test_pixels_are_those_of_the_picture(make: Callable[..., Any], form: dict[str, Any], size: tuple[int, int]) -> None:
    env = make(**form, render_mode="rgb_array")
    with pytest.raises(ResetNeeded, match="call reset before render"):
        env.render()
    env.reset(options={"deck": WON} if env.settings.stock == 24 else {"number": 3})
    frame = env.render()
    assert frame.shape == (*size, 3) and frame.dtype == np.uint8
    drawn = table_svg(scene_of_game(env.settings, env._batch.games[0]))
    np.testing.assert_array_equal(frame, pixels(drawn))
    frame[:] = 0  # it is the caller's own
    assert env.render().any()
    assert env._repr_svg_() == drawn


def test_what_is_played_is_seen() -> None:
    env = TriPeaksEnv(render_mode="rgb_array")
    env.reset(options={"deck": WON})
    before = env.render()
    env.step(28)
    after = env.render()
    assert isinstance(before, np.ndarray) and isinstance(after, np.ndarray)
    changed = (before != after).any(axis=(1, 2))
    assert changed[190:].any() and not changed[:180].any()  # the pile and the counters, not the peaks


def test_a_notebook_shows_nothing_before_the_deal() -> None:
    for env in (TriPeaksEnv(), parallel()):
        assert env._repr_svg_() is None


def test_a_vector_environment_shows_every_table() -> None:
    env = TriPeaksVectorEnv(2, render_mode="rgb_array")
    env.reset(options={"number": [3, 4]})
    frames = env.render()
    assert frames is not None
    for game, frame in zip(env._batch.games, frames, strict=True):
        np.testing.assert_array_equal(frame, pixels(table_svg(scene_of_game(env.settings, game))))


def test_what_a_learner_does_to_its_observations_changes_no_picture() -> None:
    env = TriPeaksVectorEnv(1, render_mode="rgb_array")
    observations, _ = env.reset(options={"number": [3]})
    (before,) = env.render() or ()
    for field in observations.values():
        field[:] = 1
    (after,) = env.render() or ()
    np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("make", ENVIRONMENTS)
@pytest.mark.parametrize("package", ["resvg_py", "PIL.Image"])
def test_a_missing_package_is_one_sentence(
    make: Callable[..., Any], package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    fault = "pixels need the packages resvg_py and pillow: pip install resvg_py pillow"
    with pytest.raises(ValueError, match=f"^{re.escape(fault)}$"):
        make(render_mode="rgb_array")
    env = make(render_mode="ansi")
    env.reset(seed=1)
    assert env.render()


@pytest.mark.parametrize(
    ("make", "form", "pace"),
    [
        (TriPeaksEnv, {}, 5),
        (TriPeaksEnv, {"tempo": "brisk", "tick": 0.5}, 2),
        (TriPeaksVectorEnv, {"tempo": "brisk", "tick": 0.5}, 2),
        (GipfelsturmEnv, {}, 5),
        (GipfelsturmEnv, {"tick": 0.1}, 10),
    ],
)
def test_videos_have_the_pace_of_the_game(make: Callable[..., Any], form: dict[str, Any], pace: float) -> None:
    env = make(**form)
    assert env.metadata["render_fps"] == pace
    assert {**env.metadata, "render_fps": 5, "autoreset_mode": 0} == {**make.metadata, "autoreset_mode": 0}  # type: ignore[attr-defined]
    env.metadata["render_modes"].append("human")  # as some wrappers do
    assert make().metadata["render_modes"] == ["ansi", "rgb_array"]


def test_gymnasium_records_a_video(tmp_path: Path) -> None:
    folder = tmp_path / "videos"
    single = gymnasium.make("gipfelsturm/TriPeaks-v0", render_mode="rgb_array")
    env = RecordVideo(single, str(folder), episode_trigger=lambda _: True)
    env.reset(seed=1)
    for _ in range(4):
        env.step(28)
    env.close()  # type: ignore[no-untyped-call]
    (video,) = folder.iterdir()
    assert video.suffix == ".mp4" and video.stat().st_size > 2_000


def test_pettingzoo_finds_no_fault_in_rendering() -> None:
    def make(render_mode: str) -> AECEnv:
        return aec(render_mode=None if render_mode == "human" else render_mode)  # asked for, and never rendered

    render_test(make)


# Animations


def pictures(count: int) -> list[str]:
    """Different ones, of both games' colours."""
    settings = real_time("normal", seats=3)
    games = deal_games(settings, range(count))
    games["phase"][:, :3] = (1, 2, 4)
    games["place"][:, :3] = (19, 25, 0)
    games["left"][:, :3] = 1
    games["call"][:, 1] = 3
    return [table_svg(scene_of_game(settings, game)) for game in games]


def test_an_animation_shows_each_picture_for_its_time() -> None:
    one, two, three = pictures(3)
    file = gif([(one, 200), (two, 100), (two, 500), (one, 1000), (three, 20)])
    with Image.open(BytesIO(file)) as animation:
        assert getattr(animation, "n_frames", 1) == 4 and animation.info["loop"] == 0
        shown = []
        for frame, svg in enumerate((one, two, one, three)):
            animation.seek(frame)
            shown.append(animation.info["duration"])
            difference = np.abs(np.asarray(animation.convert("RGB"), int) - pixels(svg))
            assert difference.max() <= 32 and difference.mean() < 1
    assert shown == [200, 600, 1000, 20]


def test_one_picture_is_an_animation_too() -> None:
    (one,) = pictures(1)
    with Image.open(BytesIO(gif([(one, 500), (one, 500)]))) as image:
        assert image.size == (532, 358)


def test_the_same_game_is_the_same_file() -> None:
    settings = one_mind()
    frames = [(table_svg(scene_of_game(settings, game)), 100) for game in deal_games(settings, range(3))]
    assert gif(frames) == gif(iter(frames))
