"""News as it is published: feeds watched politely, their articles read, what was seen remembered."""
