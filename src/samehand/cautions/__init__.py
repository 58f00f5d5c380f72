"""What in the texts asks for care."""
