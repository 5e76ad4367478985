"""What a module binds, found out without running it."""
