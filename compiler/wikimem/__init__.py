"""wikimem."""
