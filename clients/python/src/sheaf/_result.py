"""Results of requests."""

from __future__ import annotations

import builtins
import http.client
import json
import os
import pathlib
import re
import uuid
from collections.abc import Iterator
from typing import Any, Callable, Optional, Union
from urllib.parse import unquote

from ._errors import SheafConnectionError, SheafError, read_number
from ._file_name import safe_file_name
from ._files import CHUNK_BYTES


class SheafResult:
    """The file of a response, and what the response says about it."""

    def __init__(
        self, response: http.client.HTTPResponse, repeat: Optional[Callable[[], http.client.HTTPResponse]]
    ) -> None:
        headers = response.headers
        self._response = response
        self._repeat = repeat
        self._is_read = False
        self._bytes: Optional[builtins.bytes] = None
        self.headers = headers
        """All headers, such as `X-Redaction-Verified`."""
        self.name = safe_file_name(_read_file_name(headers.get("Content-Disposition") or ""))
        """The file name, such as `report-rotated.pdf`. It is safe on every system, whatever the server sends."""
        self.content_type = headers.get_content_type()
        """The content type without parameters, such as `application/pdf`."""
        self.warnings = [code for code in re.split(r", *", headers.get("X-Warnings") or "") if code]
        """Codes of warnings, such as `signatures-invalidated`."""
        self.credits_charged = read_number(headers, "X-Credits-Charged") or 0
        """Credits that the request cost: 1, or 0 if it repeats a paid request."""
        self.credit_balance = read_number(headers, "X-Credit-Balance")
        """The balance of the account after the request."""
        self.request_id = headers.get("X-Request-Id") or ""
        """ID of the request. Include it if you ask for help."""

    def bytes(self) -> builtins.bytes:
        """Returns the file. If the connection ends early, the request is repeated, which costs nothing."""
        if self._bytes is None:
            self._bytes = self._read_whole(lambda: b"".join(self._chunks()))
        return self._bytes

    def text(self) -> str:
        """Returns the text of the file, such as the text of OCR."""
        return self.bytes().decode()

    def json(self) -> Any:
        """Returns the value of a JSON file."""
        return json.loads(self.bytes())

    def stream(self) -> Iterator[builtins.bytes]:
        """Yields the file in chunks, once. A connection that ends early isn't repeated."""
        self._start_reading()
        return self._chunks()

    def save(self, path: Union[str, os.PathLike[str]]) -> pathlib.Path:
        """Saves the file and returns its path. In a folder, the file keeps its name.

        The path gets the complete file or stays as it was.
        """
        target = pathlib.Path(path)
        if target.is_dir():
            target = target / self.name
        draft = target.with_name(f"{target.name}.{uuid.uuid4().hex[:8]}.part")
        try:
            if self._bytes is not None:
                draft.write_bytes(self._bytes)
            else:
                self._read_whole(lambda: self._write(draft))
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
        return target

    def _write(self, path: pathlib.Path) -> None:
        with path.open("wb") as file:
            for chunk in self._chunks():
                file.write(chunk)

    def _read_whole(self, read: Callable[[], Any]) -> Any:
        self._start_reading()
        try:
            return read()
        except SheafConnectionError:
            if self._repeat is None:
                raise
        self._response = self._repeat()
        return read()

    def _start_reading(self) -> None:
        if self._is_read:
            raise SheafError("The file was already read.")
        self._is_read = True

    def _chunks(self) -> Iterator[builtins.bytes]:
        rest = read_number(self._response.headers, "Content-Length")
        with self._response as response:
            while True:
                try:
                    chunk = response.read(CHUNK_BYTES)
                except (OSError, http.client.HTTPException) as error:
                    raise SheafConnectionError("The connection ended before the end of the file.") from error
                if not chunk:
                    break
                if rest is not None:
                    rest -= len(chunk)
                yield chunk
        if rest:
            raise SheafConnectionError("The connection ended before the end of the file.")


def _read_file_name(disposition: str) -> str:
    """Reads the name of Content-Disposition (RFC 6266). Empty if there is none."""
    encoded = re.search(r"filename\*=UTF-8''([^;]+)", disposition, re.IGNORECASE)
    quoted = re.search(r'filename="([^"]*)"', disposition, re.IGNORECASE)
    try:
        return unquote(encoded[1], errors="strict") if encoded else quoted[1] if quoted else ""
    except UnicodeDecodeError:
        return quoted[1] if quoted else ""
