"""Which first-party imports of a module resolve, by what its sources bind."""
