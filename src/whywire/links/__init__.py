"""Links between events: what sentences say, and what two headlines show."""
