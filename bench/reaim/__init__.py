"""How often re-aiming is right, wrong or refused, and how fast."""
