"""The rules: compiled functions of one game, which is one record."""
