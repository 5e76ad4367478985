"""The contract files: what a person has promised about the suite, as files of the trusted ref."""
