"""A chat model as a second reader: asked about what the small models are unsure of, within a budget."""
