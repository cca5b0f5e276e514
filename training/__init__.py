"""How agents are evaluated and compared."""
