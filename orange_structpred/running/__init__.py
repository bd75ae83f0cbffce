"""Work on several threads, and how it is cancelled."""
