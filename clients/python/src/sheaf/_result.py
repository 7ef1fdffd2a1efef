"""Results of requests."""

from __future__ import annotations

import builtins
import json
import os
import pathlib
import re
import uuid
from collections.abc import Iterator
from typing import Any, Callable, Generic, Optional, TypeVar, Union
from urllib.parse import unquote

from ._errors import SheafConnectionError, SheafError, SheafTimeoutError, read_number
from ._file_name import safe_file_name
from ._send import Received

Report = TypeVar("Report")
"""The type of a file in JSON."""


class SheafResult(Generic[Report]):
    """The file of a response, and what the response says about it."""

    def __init__(self, received: Received, idempotency_key: str, repeat: Optional[Callable[[], Received]]) -> None:
        headers = received.response.headers
        self._received = received
        self._idempotency_key = idempotency_key
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
            self._bytes = self._read_whole(lambda: b"".join(self._received.chunks()))
        return self._bytes

    def text(self) -> str:
        """Returns the text of the file, such as the text of OCR."""
        return self.bytes().decode()

    def json(self) -> Report:
        """Returns the value of a JSON file."""
        report: Report = json.loads(self.bytes())
        return report

    def stream(self) -> Iterator[builtins.bytes]:
        """Yields the file in chunks, once. A connection that ends early isn't repeated."""
        self._start_reading()
        return self._received.chunks()

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
            for chunk in self._received.chunks():
                file.write(chunk)

    def _read_whole(self, read: Callable[[], Any]) -> Any:
        self._start_reading()
        try:
            try:
                return read()
            except SheafConnectionError:
                if self._repeat is None:
                    raise
            self._received = self._repeat()
            return read()
        except SheafError as error:
            kind = SheafTimeoutError if isinstance(error, SheafTimeoutError) else SheafConnectionError
            raise kind(
                f"The file didn't arrive: {error} The request was charged. Within 24 hours, its repetition with the"
                f" idempotency key {self._idempotency_key} costs nothing.",
                self._idempotency_key,
            ) from error

    def _start_reading(self) -> None:
        if self._is_read:
            raise SheafError("The file was already read.")
        self._is_read = True


def _read_file_name(disposition: str) -> str:
    """Reads the name of Content-Disposition (RFC 6266). Empty if there is none."""
    encoded = re.search(r"filename\*=UTF-8''([^;]+)", disposition, re.IGNORECASE)
    quoted = re.search(r'filename="([^"]*)"', disposition, re.IGNORECASE)
    try:
        return unquote(encoded[1], errors="strict") if encoded else quoted[1] if quoted else ""
    except UnicodeDecodeError:
        return quoted[1] if quoted else ""
