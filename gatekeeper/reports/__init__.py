"""Reports of collections and runs, read as what they are: text that whoever ran pytest could have written."""
