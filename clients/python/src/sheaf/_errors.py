"""Errors of this package."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Optional

from ._urls import mask_url

if TYPE_CHECKING:
    from email.message import Message


@dataclass(frozen=True)
class Problem:
    """A problem with one parameter."""

    message: str
    param: Optional[str] = None
    """Path of the parameter, such as `options.pages[2]`."""
    rule: Optional[str] = None
    """ID of the broken rule of an electronic invoice, such as `BR-DE-15`."""


class SheafError(Exception):
    """The base class of all errors of this package."""


class SheafApiError(SheafError):
    """The API refused a request, or couldn't complete it. The request was not charged."""

    def __init__(self, status: int, headers: Message, body: dict[str, Any], note: str = "") -> None:
        super().__init__(f"{body['message']}{note}")
        self.status = status
        """The HTTP status."""
        self.code: str = body["error"]
        """The error code, such as `invalid_api_key`. Codes are never renamed. Redirects have `redirected`."""
        self.reason: Optional[str] = body.get("reason")
        """Why the input could not be processed, such as `encrypted`. None for other errors."""
        self.param: Optional[str] = body.get("param")
        """Path of the invalid parameter, if one parameter caused the error."""
        problems = body.get("problems") or ([body] if self.param is not None else [])
        self.problems = [Problem(one["message"], one.get("param"), one.get("rule")) for one in problems]
        """All invalid parameters. Empty if the error has another cause."""
        self.request_id: Optional[str] = body.get("requestId") or headers.get("X-Request-Id")
        """ID of the request. Include it if you ask for help."""
        self.docs: Optional[str] = body.get("docs")
        """URL of this error in the documentation."""
        self.retry_after = read_number(headers, "Retry-After")
        """Seconds to wait before a retry. None if the response doesn't say."""
        self.credit_balance = read_number(headers, "X-Credit-Balance")
        """The balance of the account. None if the API didn't accept the key."""
        self.headers = headers

    def rename(self, write: Callable[[str], str]) -> None:
        """Writes the names of parameters in another way."""
        self.args = (write(str(self)),)
        self.param = None if self.param is None else write(self.param)
        self.problems = [
            Problem(write(one.message), None if one.param is None else write(one.param), one.rule)
            for one in self.problems
        ]


class SheafConnectionError(SheafError):
    """No response arrived, or it ended early."""

    def __init__(self, message: str, idempotency_key: Optional[str] = None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key
        """The key of the request. If it was charged, its repetition with this key within 24 hours costs nothing."""


class SheafTimeoutError(SheafConnectionError):
    """A request and its download took longer than the timeout."""


class SheafForeignResponseError(SheafConnectionError):
    """A successful response isn't from the API, such as the login page of a proxy. The request isn't retried."""


def read_error(status: int, headers: Message, content: bytes, note: str = "") -> SheafApiError:
    """Reads the error of a response. Proxies respond with other bodies."""
    try:
        body = json.loads(content)
        if isinstance(body["error"], str) and isinstance(body["message"], str):
            return SheafApiError(status, headers, body, note)
    except (ValueError, KeyError, TypeError):
        pass
    message = f"The server responded with {status} and no error of this API."
    return SheafApiError(status, headers, {"error": "unknown", "message": message}, note)


def read_redirect(status: int, headers: Message, url: str) -> SheafApiError:
    """Reads a redirect. It isn't followed, because the key and the file would go to another URL."""
    given = headers.get("Location")
    location = None if given is None else mask_url(given, url)
    shown = copy.copy(headers)
    del shown["Location"]
    if location is not None:
        shown["Location"] = location
    target = "" if location is None else f" to {location}"
    message = (
        f"The server responded with {status}, a redirect{target}. It isn't followed, so that the key and the file go"
        " nowhere else. If you trust that server, set base_url or SHEAF_BASE_URL to its URL, without the path of the"
        " endpoint."
    )
    return SheafApiError(status, shown, {"error": "redirected", "message": message})


def read_number(headers: Message, name: str) -> Optional[int]:
    """Reads a header with a number. None if it is missing."""
    text = (headers.get(name) or "").strip()
    return int(text) if text.lstrip("-").isdigit() else None
