"""What a person sees: boards, pictures, insight, the rule book."""
