"""What moved between two surfaces, and how bad that is for a caller."""
