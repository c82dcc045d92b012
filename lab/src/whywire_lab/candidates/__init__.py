"""Which pairs of headlines are worth a crowd's labels (HeadlineCause, section 2)."""
