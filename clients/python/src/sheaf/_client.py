"""What the methods of all endpoints have in common."""

from __future__ import annotations

import json
import os
import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Optional

from ._errors import SheafApiError, SheafError
from ._files import Body, FileInput, encode_file, encode_options, open_file, write_form, write_json
from ._names import convert, quote
from ._result import SheafResult
from ._send import USUAL_RETRIES, USUAL_TIMEOUT_S, Outgoing, Received, send
from ._urls import read_base_url
from ._version import VERSION

LOCAL = "http://localhost:3000"


class Client:
    """Sends requests with one API key. `Sheaf` has a method for each endpoint.

    Args:
        api_key: The API key. Default: the environment variable SHEAF_API_KEY.
        base_url: URL of the Sheaf server. Default: the environment variable SHEAF_BASE_URL, or http://localhost:3000.
        timeout: Maximum time in seconds until the end of the download, for each attempt. Default: 300.
        max_retries: Maximum number of retries after the first attempt. Default: 3.
        strict: Whether to refuse unknown options instead of ignoring them.
        user_agent: A program name for the request log of the account, such as `payroll/2.1`.

    Raises:
        SheafError: There is no valid API key.
        ValueError: The URL isn't valid, or has credentials.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        timeout: float = USUAL_TIMEOUT_S,
        max_retries: int = USUAL_RETRIES,
        strict: bool = False,
        user_agent: Optional[str] = None,
    ) -> None:
        key = api_key or os.environ.get("SHEAF_API_KEY")
        if not key:
            raise SheafError("The API key is missing. Set the environment variable SHEAF_API_KEY, or send api_key.")
        # The standard library shows the value of a header that it refuses.
        if not re.fullmatch(r"[!-~]+", key):
            raise SheafError("The API key must be ASCII without spaces and line breaks. Copy the key again.")
        self._api_key = key
        self._base_url = (
            read_base_url(base_url, "base_url")
            if base_url
            else read_base_url(os.environ.get("SHEAF_BASE_URL") or LOCAL, "SHEAF_BASE_URL")
        )
        self._timeout = timeout
        self._max_retries = max_retries
        self._strict = strict
        self._user_agent = " ".join(filter(None, [user_agent, f"sheaf-python/{VERSION}"]))

    def credits(self) -> int:
        """Returns the balance of the account. Costs nothing."""
        received = self._send("GET", "/api/external/credits", ("application/json",), None, {})
        balance: int = json.loads(b"".join(received.chunks()))["creditBalance"]
        return balance

    def _call(
        self,
        path: str,
        content_types: Sequence[str],
        options: Optional[Mapping[str, Any]],
        settings: Mapping[str, Any],
        *,
        field: Optional[str] = None,
        files: Sequence[FileInput] = (),
        has_options_field: bool = False,
    ) -> SheafResult[Any]:
        if isinstance(files, (str, bytes, os.PathLike)):
            raise TypeError("The files must be a list, such as ['a.pdf', 'b.pdf'].")
        converted = convert(options or {})
        body = _write_body(encode_options(converted), field, files, has_options_field)
        # The key stays the same for all attempts, so that at most one is charged.
        key = settings.get("idempotency_key") or str(uuid.uuid4())

        def repeat() -> Received:
            try:
                return self._send("POST", path, content_types, body, {**settings, "idempotency_key": key})
            except SheafApiError as error:
                if converted != options:
                    error.rename(quote)
                raise

        return SheafResult(repeat(), key, repeat if body.size is not None else None)

    def _send(
        self,
        method: str,
        path: str,
        content_types: Sequence[str],
        body: Optional[Body],
        settings: Mapping[str, Any],
    ) -> Received:
        unknown = set(settings) - {"idempotency_key", "timeout", "max_retries", "strict"}
        if unknown:
            raise TypeError(f"Unknown setting {sorted(unknown)[0]}. Options of the endpoint belong in `options`.")
        headers = {"x-api-key": self._api_key, "User-Agent": self._user_agent}
        if settings.get("idempotency_key"):
            headers["Idempotency-Key"] = settings["idempotency_key"]
        if settings.get("strict", self._strict):
            headers["Prefer"] = "handling=strict"
        return send(
            Outgoing(
                url=f"{self._base_url}{path}",
                method=method,
                headers=headers,
                body=body,
                content_types=content_types,
                timeout=settings.get("timeout", self._timeout),
                max_retries=settings.get("max_retries", self._max_retries),
            )
        )


def _write_body(
    options: dict[str, Any], field: Optional[str], files: Sequence[FileInput], has_options_field: bool
) -> Body:
    if field is None:
        return write_json(options)
    texts = {"options": options} if has_options_field else options
    if any(isinstance(file, Mapping) for file in files):  # Only JSON can have files by URL.
        inputs = [encode_file(file, f"file-{index}.pdf") for index, file in enumerate(files, 1)]
        return write_json({**texts, field: inputs if field == "files" else inputs[0]})
    opened = [open_file(file, f"file-{index}.pdf") for index, file in enumerate(files, 1)]
    return write_form(
        [(field, file) for file in opened]
        + [
            (name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
            for name, value in texts.items()
        ]
    )
