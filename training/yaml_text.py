"""YAML as plain values; a key that stands twice in one place is a fault, not the latter of the two."""

from typing import Any

import msgspec
import yaml


def read_yaml(text: bytes) -> Any:  # noqa: ANN401  # whatever the text says
    """The value that a text stands for.

    Raises:
        ValueError: for no YAML, a key twice, or what contains itself.
    """
    try:
        _check_keys(yaml.compose(text, Loader=yaml.SafeLoader))
        return msgspec.yaml.decode(text)
    except RecursionError:
        raise ValueError("this is no YAML: it contains itself, or is nested too deeply") from None
    except yaml.MarkedYAMLError as fault:
        line = fault.problem_mark.line + 1
        raise ValueError(f"this is no YAML: {fault.problem} in line {line}") from None
    except (yaml.YAMLError, msgspec.DecodeError) as fault:
        raise ValueError(f"this is no YAML: {' '.join(str(fault).split())}") from None


def _check_keys(node: Any) -> None:  # noqa: ANN401  # PyYAML has no types
    if getattr(node, "id", "") != "mapping":
        return
    keys = [key.value for key, _ in node.value]
    for key, inner in node.value:
        if keys.count(key.value) > 1:
            raise ValueError(f"the key {key.value} stands there twice")
        _check_keys(inner)
