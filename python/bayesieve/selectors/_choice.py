"""Selectors that stand for several methods, and those that share their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from bayesieve._engine import DataError, SettingError
from bayesieve._selector import Selector


class Choice(Selector):
    """A selector that stands for several methods of the command, by one of its parameters."""

    #: The parameter, and the method of each of its values.
    _by: ClassVar[str]
    _methods: ClassVar[Mapping[Any, str]]

    @classmethod
    def _setting_names(cls) -> list[str]:
        return [name for name in super()._setting_names() if name != cls._by]

    def _method_name(self) -> str:
        value = getattr(self, self._by)
        if not isinstance(value, (str, bool)) or value not in self._methods:
            known = " or ".join(repr(one) for one in self._methods)
            raise SettingError(f"{self._by}={value!r} is not one of its values. Use {known}.")
        return self._methods[value]

    @classmethod
    def _method_names(cls) -> tuple[str, ...]:
        return tuple(cls._methods.values())

    @classmethod
    def _own_parameters(cls, document: Mapping[str, Any], known: dict[str, Any]) -> dict[str, Any]:
        for value, method in cls._methods.items():
            if document["method"] == method:
                return {**known, cls._by: value}
        raise DataError(
            f"the selection was made by {document['method']}, not by {cls.__name__}. "
            "bayesieve.read_selection takes any."
        )


class Sharing(Selector):
    """A selector whose parameters are those of its base, text and all."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        base = cls.__bases__[0]
        if base is not Sharing and cls.__doc__ and base.__doc__:
            _, _, parameters = base.__doc__.partition("\n\n")
            cls.__doc__ = f"{cls.__doc__}\n\n{parameters}"
