"""Which pairs of headlines are worth labelling (HeadlineCause, section 2)."""
