"""File names of responses."""

from __future__ import annotations

import re
import unicodedata

SEPARATORS = set('/\\:*?"<>|')
"""Characters that separate paths or mean something on Windows."""

UNSAFE_KINDS = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Kinds of characters that hide or reorder others."""

DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)", re.ASCII | re.IGNORECASE)
"""Windows opens a device for these names, whatever their extension."""

MOST_BYTES = 200
"""File systems allow 255 bytes. While a file is saved, its name is longer."""

LONGEST_EXTENSION_BYTES = 20


def safe_file_name(name: str) -> str:
    """Returns a name for a visible file of one folder, on every system. The client for TypeScript has the same rule."""
    safe = _shorten("".join("_" if _is_unsafe(character) else character for character in name))
    safe = re.sub(r"[. ]\Z", "_", re.sub(r"\A[. ]+", "_", safe))
    if not safe:
        return "file"
    return f"_{safe}" if DEVICE.match(safe) else safe


def _is_unsafe(character: str) -> bool:
    return character in SEPARATORS or unicodedata.category(character) in UNSAFE_KINDS


def _shorten(name: str) -> str:
    """Cuts a name before its extension."""
    dot = name.rfind(".")
    has_extension = dot >= 0 and len(name[dot:].encode()) <= LONGEST_EXTENSION_BYTES
    stem, extension = (name[:dot], name[dot:]) if has_extension else (name, "")
    room = MOST_BYTES - len(extension.encode())
    return stem.encode()[:room].decode(errors="ignore") + extension
