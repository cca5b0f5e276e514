"""The version that all environments' ids end in (see CONTRIBUTING.md): what was trained for one plays no other."""

ENV_VERSION = "v0"
