"""Files to send, and the bodies of requests."""

from __future__ import annotations

import base64
import io
import json
import os
import pathlib
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, Optional, Union

FileContent = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes]]
"""Content of a file: a path, bytes, or an open binary file."""

FileInput = Union[FileContent, "tuple[str, FileContent]", Mapping[str, str]]
"""A file to send. Paths and open files have a name. For other content, add one as `(name, content)`.

The server fetches a file that is sent as `{"name": ..., "url": ...}`.
"""

CHUNK_BYTES = 1 << 18


@dataclass(frozen=True)
class OpenFile:
    """A file with its name. A file that can't be rewound is sent only once."""

    name: str
    content: Union[bytes, pathlib.Path, IO[bytes]]
    start: int = 0

    @property
    def size(self) -> Optional[int]:
        """Size in bytes. None if it is unknown before the file is read."""
        if isinstance(self.content, bytes):
            return len(self.content)
        if isinstance(self.content, pathlib.Path):
            return self.content.stat().st_size
        if not self.content.seekable():
            return None
        return self.content.seek(0, io.SEEK_END) - self.start

    def read(self) -> Iterator[bytes]:
        """Yields the bytes in chunks."""
        if isinstance(self.content, bytes):
            yield self.content
        elif isinstance(self.content, pathlib.Path):
            with self.content.open("rb") as file:
                yield from iter(lambda: file.read(CHUNK_BYTES), b"")
        else:
            if self.content.seekable():
                self.content.seek(self.start)
            yield from iter(lambda: self.content.read(CHUNK_BYTES), b"")  # type: ignore[union-attr]


def open_file(given: FileInput, fallback_name: str) -> OpenFile:
    """Opens a file without reading it.

    Raises:
        FileNotFoundError: There is no such file.
        TypeError: The value isn't a file.
    """
    if isinstance(given, tuple):
        name, content = given
        opened = open_file(content, name)
        return OpenFile(name, opened.content, opened.start)
    if isinstance(given, (bytes, bytearray, memoryview)):
        return OpenFile(fallback_name, bytes(given))
    if isinstance(given, (str, os.PathLike)):
        path = pathlib.Path(given)
        if path.is_dir():
            raise IsADirectoryError(f'"{path}" is not a file.')
        with path.open("rb"):
            return OpenFile(path.name, path)
    if hasattr(given, "read"):
        own_name = getattr(given, "name", None)
        start = given.tell() if given.seekable() else 0
        return OpenFile(os.path.basename(own_name) if isinstance(own_name, str) else fallback_name, given, start)
    raise TypeError(f"A file must be a path, bytes, an open binary file, or a dict with name and url. Got {type(given).__name__}.")


class Body:
    """The body of a request."""

    def __init__(self, content_type: str, parts: Sequence[Union[bytes, OpenFile]]) -> None:
        self.content_type = content_type
        self._parts = parts
        sizes = [len(part) if isinstance(part, bytes) else part.size for part in parts]
        self.size: Optional[int] = None if None in sizes else sum(size for size in sizes if size is not None)
        """Size in bytes. None if it is unknown. Such a body can be sent only once."""

    def read(self) -> Iterator[bytes]:
        """Yields the bytes in chunks. Files are read while they are sent."""
        for part in self._parts:
            if isinstance(part, bytes):
                yield part
            else:
                yield from part.read()


def write_json(value: Any) -> Body:
    """Returns a body in JSON."""
    return Body("application/json", [json.dumps(value, ensure_ascii=False).encode()])


def write_form(fields: Sequence[tuple[str, Union[str, OpenFile]]]) -> Body:
    """Returns a form (RFC 7578)."""
    boundary = f"sheaf-{uuid.uuid4()}"
    parts: list[Union[bytes, OpenFile]] = []
    for name, value in fields:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{_escape(name)}"'
        if isinstance(value, str):
            parts.append(f"{head}\r\n\r\n{value}\r\n".encode())
        else:
            parts += [f'{head}; filename="{_escape(value.name)}"\r\n\r\n'.encode(), value, b"\r\n"]
    return Body(f"multipart/form-data; boundary={boundary}", [*parts, f"--{boundary}--\r\n".encode()])


def encode_file(given: FileInput, fallback_name: str) -> dict[str, str]:
    """Returns a file as it is in a JSON body. Its content is read, unless the server fetches it."""
    if isinstance(given, Mapping):
        return dict(given)
    opened = open_file(given, fallback_name)
    return {"name": opened.name, "dataBase64": base64.b64encode(b"".join(opened.read())).decode()}


def encode_options(value: Any) -> Any:
    """Writes files in options, as bytes or `pathlib.Path`, as `{"name", "dataBase64"}`."""
    if isinstance(value, (bytes, bytearray)):
        return {"name": "file", "dataBase64": base64.b64encode(value).decode()}
    if isinstance(value, pathlib.Path):
        return {"name": value.name, "dataBase64": base64.b64encode(value.read_bytes()).decode()}
    if isinstance(value, Mapping):
        return {key: encode_options(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode_options(member) for member in value]
    return value


def _escape(text: str) -> str:
    """Escapes a name as browsers do (HTML, 4.10.21.8)."""
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
