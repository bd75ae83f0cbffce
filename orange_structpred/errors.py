"""What users did wrong, told apart from what the program did wrong; and how text of
others is shown in messages."""
import re

# Control characters, and what changes the direction of the text around it
_CONTROL_CHARACTERS = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
                       "\ud800-\udfff]")


class InputError(ValueError):
    """Input that cannot be used; the message says what was found and expected.

    The command line shows it as one line. Any other error is a fault of the program
    and is shown with its traceback.
    """


def cut_text(text: str, longest: int) -> str:
    """A text that is cut, with three dots at its end, if it is too long.

    >>> cut_text("abcdefgh", 6)
    'abc...'
    """
    return text if len(text) <= longest else f"{text[:longest - 3]}..."


def visible(text: str, longest: int | None = None) -> str:
    r"""Text of others as a terminal may get it: control characters are shown, not sent.

    longest : letters after which the text is cut

    >>> visible("\x1b[2J\tx"), visible("abcdefgh", 6)
    ('\\x1b[2J\\tx', 'abc...')
    """
    if longest is not None:
        text = cut_text(text, longest)
    return _CONTROL_CHARACTERS.sub(
        lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
