"""Do it and keep the proof; knows desktops, not memories."""
