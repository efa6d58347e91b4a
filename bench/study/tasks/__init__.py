"""The recurrent tasks, by application."""
