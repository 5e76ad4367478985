"""The adversary's catalogue as real pushes: recipes that cheat, controls that are honest, and what must come out."""
