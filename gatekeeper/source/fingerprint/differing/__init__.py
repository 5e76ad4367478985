"""What the difference in each part of two fingerprints means."""
