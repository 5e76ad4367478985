"""What a property is made of, as one hash, and how it was hollowed out."""
