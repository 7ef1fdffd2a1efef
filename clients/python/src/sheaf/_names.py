"""Names of options: snake_case in Python, camelCase in requests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ._option_names import CAMEL_NAMES, FREE_NAMES

_SNAKE = re.compile(r"_([a-z0-9])")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*")


def to_camel(name: str) -> str:
    """Writes `blank_between` as `blankBetween`."""
    return _SNAKE.sub(lambda match: match[1].upper(), name)


def convert(options: Any) -> Any:
    """Writes the names of options as requests have them. Names that the caller invents, such as of fields, stay."""
    if isinstance(options, Mapping):
        return {
            to_camel(name): value if name in FREE_NAMES or to_camel(name) in FREE_NAMES else convert(value)
            for name, value in options.items()
        }
    if isinstance(options, (list, tuple)):
        return [convert(one) for one in options]
    return options


def quote(text: str) -> str:
    """Writes the names of options in an error as the caller sent them, in snake_case."""
    return _IDENTIFIER.sub(lambda match: CAMEL_NAMES.get(match[0], match[0]), text)
