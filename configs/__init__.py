"""Configs of trainings, one commented YAML file for each, and the partners that teammates are judged beside."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Where they lie."""

PARTNERS = FOLDER / "partners.yaml"
"""The one that is no training."""
