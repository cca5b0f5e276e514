"""The page of `gipfelsturm report`: a module for each part of it."""
