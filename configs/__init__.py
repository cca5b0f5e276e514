"""Configs of trainings, one commented YAML file for each."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Where they lie."""
