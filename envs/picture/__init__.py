"""The table as a picture: one SVG drawing for both games, made from what an observation tells."""
