"""Parameters as rows of a table, and classes that have them.

A learner lists its parameters once, as `Parameter`s. Its signature, checks, messages and
part of its documentation follow from them, and so do the options of commands and the
controls of widgets. Nothing is imported here that takes time: the command line answers
with it at once.
"""
from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from orange_structpred.errors import InputError
from orange_structpred.kinds import Kind

#: Values of parameters by name; missing ones have their defaults
Settings = Mapping[str, object]


class Need(NamedTuple):
    """What must be so for a parameter to have an influence.

    words : for the documentation
    missing : why it is not so with some settings; "" if it is
    features : values of the parameter `features` that are needed, if it is these
    """

    words: str
    missing: Callable[[Settings], str]
    features: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parameter:
    """A row of the table.

    Parameters
    ----------
    name, default, kind
    help : what it does, in a sentence without its period
    needs : what must be so for it to have an influence
    harmless : whether it makes no difference to what is learned
    option : of the command line, if that is not its name
    section, label : the part of a widget that its control is in, and the control's label
        with the letter that leads to it; without a section it is for scripts
    """

    name: str
    default: Any
    kind: Kind
    help: str
    needs: tuple[Need, ...] = ()
    harmless: bool = False
    option: str = ""
    section: str = ""
    label: str = ""

    def missing(self, settings: Settings) -> Need | None:
        """The first of its needs that the settings do not meet."""
        return next((need for need in self.needs if need.missing(settings)), None)

    def documented(self) -> str:
        """Its lines in the docstring of a learner."""
        shown = repr(self.default) if not callable(self.default) else "see below"
        needs = "".join(f". Needs {need.words}" for need in self.needs)
        text = textwrap.fill(f"{self.help}{needs}", 80, initial_indent="    ",
                             subsequent_indent="    ")
        return f"{self.name} : {self.kind.text}, default={shown}\n{text}"


def by_name(rows: Iterable[Parameter]) -> dict[str, Parameter]:
    return {row.name: row for row in rows}


def check_values(rows: Mapping[str, Parameter], values: Settings) -> None:
    """Raise an InputError for the first value that its parameter may not have."""
    for name, value in values.items():
        rows[name].kind.check(name, value)


def unknown_parameter(name: str, rows: Iterable[str]) -> InputError:
    return InputError(f"unknown parameter {name!r}; valid parameters are "
                      f"{', '.join(rows)}")


def signature_of(rows: Mapping[str, Parameter], positional: int = 0
                 ) -> inspect.Signature:
    """The signature of a constructor with these parameters.

    positional : how many of them may be given without their names
    """
    return inspect.Signature([
        inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
        *(inspect.Parameter(
            name, inspect.Parameter.POSITIONAL_OR_KEYWORD if k < positional
            else inspect.Parameter.KEYWORD_ONLY, default=row.default)
          for k, (name, row) in enumerate(rows.items()))])


def documented(docstring: str, rows: Mapping[str, Parameter]) -> str:
    """A docstring with the parameters in the place of ``{parameters}``."""
    lines = "\n".join(row.documented() for row in rows.values())
    return inspect.cleandoc(docstring).replace("{parameters}", lines)


class HasParameters:
    """A class with a table of parameters: ``class Mine(HasParameters, rows=TABLE)``.

    Its constructor has them as keywords and only stores what it is given. The part
    ``{parameters}`` of its docstring is made of the rows.
    """

    rows: ClassVar[Mapping[str, Parameter]] = {}
    _signature: ClassVar[inspect.Signature] = signature_of({})

    if TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any: ...    # the parameters

    def __init_subclass__(cls, rows: Mapping[str, Parameter] | None = None,
                          positional: int = 0, **options):
        super().__init_subclass__(**options)
        if rows is None:
            return
        signature = signature_of(rows, positional)

        @wraps(HasParameters.__init__)
        def __init__(self: HasParameters, *args: Any, **values: Any) -> None:
            HasParameters.__init__(self, *args, **values)

        constructor: Any = __init__
        constructor.__signature__ = signature
        cls.__init__ = constructor  # type: ignore[method-assign]  # with its signature
        cls.rows, cls._signature = rows, signature
        cls.__doc__ = documented(cls.__doc__ or "", rows)

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__()
        bound = self._signature.bind(self, *args, **values)
        bound.apply_defaults()
        for name in self.rows:
            setattr(self, name, bound.arguments[name])

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """The parameters by name, as scikit-learn's `clone` asks for them."""
        return {name: getattr(self, name) for name in self.rows}

    def set_params(self, **parameters: object) -> HasParameters:
        for name, value in parameters.items():
            if name not in self.rows:
                raise unknown_parameter(name, self.rows)
            setattr(self, name, value)
        return self

    def check_values(self) -> None:
        """Raise an InputError for the first value that its parameter may not have."""
        check_values(self.rows, self.get_params())
