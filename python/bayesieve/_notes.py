"""Notes about data."""


class DataWarning(UserWarning):
    """Something about the data that is worth a look; also in `notes_`."""
