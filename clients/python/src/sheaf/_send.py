"""Sends requests, and retries them."""

from __future__ import annotations

import http.client
import random
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional
from urllib.parse import urlsplit

from ._errors import (
    SheafApiError,
    SheafConnectionError,
    SheafError,
    SheafForeignResponseError,
    SheafTimeoutError,
    read_error,
    read_number,
    read_redirect,
)
from ._files import CHUNK_BYTES, Body

USUAL_TIMEOUT_S = 300.0
USUAL_RETRIES = 3
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
LONGEST_RETRY_AFTER_S = 60.0
"""A longer `Retry-After` counts as this one."""
RETRY_STATUS = {429, 500, 502, 503, 504}
"""Proxies return 502 and 504 while a server restarts."""
MOST_ERROR_BYTES = 1 << 20
"""Error bodies of the API are far shorter."""
SENT_ONCE = (
    " The request was not retried, because this file can be sent only once. Send a path, bytes, or a file that can be"
    " rewound."
)


@dataclass(frozen=True)
class Outgoing:
    """A request to send."""

    url: str
    method: str
    headers: dict[str, str] = field(repr=False)
    """Its text doesn't show them, because they have the key."""
    body: Optional[Body]
    content_types: Sequence[str]
    """Possible content types of a successful response."""
    timeout: float
    max_retries: int


@dataclass(frozen=True)
class Received:
    """A successful response of the API. Its body isn't read."""

    response: http.client.HTTPResponse
    timeout: float
    deadline: float
    """The time of `time.monotonic` at which the body must have arrived."""

    def chunks(self) -> Iterator[bytes]:
        """Yields the body.

        Raises:
            SheafTimeoutError: The body didn't arrive in time.
            SheafConnectionError: The connection ended early.
        """
        rest = read_number(self.response.headers, "Content-Length")
        with self.response as response:
            while True:
                if time.monotonic() > self.deadline:
                    raise SheafTimeoutError(_describe_timeout(self.timeout))
                try:
                    chunk = response.read1(CHUNK_BYTES)
                except TIMEOUTS as error:
                    raise SheafTimeoutError(_describe_timeout(self.timeout)) from error
                except (OSError, http.client.HTTPException) as error:
                    raise SheafConnectionError(ENDED_EARLY) from error
                if not chunk:
                    break
                if rest is not None:
                    rest -= len(chunk)
                yield chunk
        if rest:
            raise SheafConnectionError(ENDED_EARLY)


ENDED_EARLY = "The connection ended before the end of the file."
TIMEOUTS = (socket.timeout, TimeoutError)


def _describe_timeout(timeout: float) -> str:
    return f"No complete response within {timeout:g} seconds."


class _Sender(http.client.HTTPConnection):
    """Reads the response of a server that responds before it has read the whole body."""

    def send(self, data: Any) -> None:
        try:
            super().send(data)
        except (BrokenPipeError, ConnectionResetError):
            if self.sock is None or not getattr(self, "_has_sent", False):
                raise
        self._has_sent = True


class _SecureSender(_Sender, http.client.HTTPSConnection):
    pass


class _Handler(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Sender, req)


class _SecureHandler(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_SecureSender, req)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key and the file to another URL."""

    def http_error_302(self, *_: Any) -> None:
        return None

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


_opener = urllib.request.build_opener(_Handler, _SecureHandler, _NoRedirects)


def send(outgoing: Outgoing) -> Received:
    """Sends a request until it succeeds, or until an error remains.

    Raises:
        SheafError: The API refused the request, or no response arrived.
    """
    is_repeatable = outgoing.body is None or outgoing.body.size is not None
    retries = outgoing.max_retries if is_repeatable else 0
    note = "" if is_repeatable or outgoing.max_retries == 0 else SENT_ONCE
    attempt = 0
    while True:
        try:
            return _send_once(outgoing, note)
        except SheafError as error:
            if attempt >= retries or not _is_retryable(error):
                raise
            after = error.retry_after if isinstance(error, SheafApiError) else None
            time.sleep(_delay(attempt, after))
        attempt += 1


def _send_once(outgoing: Outgoing, note: str) -> Received:
    body = outgoing.body
    headers = dict(outgoing.headers)
    if body is not None:
        headers["Content-Type"] = body.content_type
        if body.size is not None:
            headers["Content-Length"] = str(body.size)
    data = None if body is None else body.read()
    key = headers.get("Idempotency-Key")
    deadline = time.monotonic() + outgoing.timeout
    request = urllib.request.Request(outgoing.url, data, headers, method=outgoing.method)
    try:
        response: http.client.HTTPResponse = _opener.open(request, timeout=outgoing.timeout)
    except urllib.error.HTTPError as refusal:
        with refusal:
            if 300 <= refusal.code < 400:
                raise read_redirect(refusal.code, refusal.headers, outgoing.url) from None
            content = _read_quietly(refusal)
        is_temporary = refusal.code in RETRY_STATUS or refusal.code == 409
        raise read_error(refusal.code, refusal.headers, content, note if is_temporary else "") from None
    except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TIMEOUTS):
            raise SheafTimeoutError(f"{_describe_timeout(outgoing.timeout)}{note}", key) from error
        if isinstance(error, FileNotFoundError):
            raise
        raise SheafConnectionError(f"The connection to {_origin(outgoing)} failed: {reason}.{note}", key) from error
    if not _is_of_api(response, outgoing):
        with response:
            kind = response.headers.get("Content-Type") or "no content type"
        raise SheafForeignResponseError(
            f"{_origin(outgoing)} responded with {response.status} and {kind.split(';')[0]}, but not as this API. A proxy"
            " may have responded. Check the base URL and the network.",
            key,
        )
    return Received(response, outgoing.timeout, deadline)


def _is_of_api(response: http.client.HTTPResponse, outgoing: Outgoing) -> bool:
    """Proxies may respond with a page of their own."""
    headers = response.headers
    return (
        "X-Request-Id" in headers
        and (outgoing.method == "GET" or read_number(headers, "X-Credit-Balance") is not None)
        and "Content-Type" in headers
        and headers.get_content_type() in outgoing.content_types
    )


def _origin(outgoing: Outgoing) -> str:
    return "{0.scheme}://{0.netloc}".format(urlsplit(outgoing.url))


def _read_quietly(response: urllib.error.HTTPError) -> bytes:
    try:
        return response.read(MOST_ERROR_BYTES)
    except (OSError, http.client.HTTPException):
        return b""


def _is_retryable(error: SheafError) -> bool:
    if isinstance(error, SheafApiError):
        return error.status in RETRY_STATUS or error.code == "request_in_progress"
    return isinstance(error, SheafConnectionError) and not isinstance(error, SheafForeignResponseError)


def _delay(attempt: int, retry_after: Optional[int]) -> float:
    growing: float = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**attempt) * (0.75 + random.random() / 2)
    return growing if retry_after is None else max(min(retry_after, LONGEST_RETRY_AFTER_S), growing / 4)
