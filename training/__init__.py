"""How agents are trained, evaluated and compared."""
