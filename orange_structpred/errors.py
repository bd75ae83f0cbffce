"""What users did wrong, told apart from what the program did wrong."""


class InputError(ValueError):
    """Input that cannot be used; the message says what was found and expected.

    The command line shows it as one line. Any other error is a fault of the program
    and is shown with its traceback.
    """
