"""What counterfactual sentences say: their forms, their clauses, and the causal claim inside them."""
