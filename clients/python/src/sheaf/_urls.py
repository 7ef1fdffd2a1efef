"""URLs of servers, and what messages show of them."""

from __future__ import annotations

from typing import Optional
from urllib.parse import SplitResult, quote, urljoin, urlsplit

LONGEST = 200
PATH = "/%:@!$&'()*+,;=~"
"""Characters of paths that aren't escaped (RFC 3986, 3.3)."""


def read_base_url(text: str, param: str) -> str:
    """Returns the URL of a server without a slash at its end.

    Raises:
        ValueError: The URL isn't valid, or has credentials. The error doesn't show them.
    """
    url = _read_http_url(text)
    if url is None:
        raise ValueError(
            f"{param} must be a URL with http or https. Got another text. Set it to a URL such as"
            " http://localhost:3000."
        )
    if "@" in url.netloc or url.query or url.fragment:
        raise ValueError(
            f"{param} must not contain credentials, a query or a fragment. Got {mask_url(text)}. Send the key as"
            " api_key, or set SHEAF_API_KEY."
        )
    return f"{url.scheme}://{url.netloc}{url.path}".rstrip("/")


def mask_url(text: str, base: str = "") -> Optional[str]:
    """Writes a URL for a message, without what may be secret in it. None if it isn't a URL with http or https."""
    url = _read_http_url(text, base)
    if url is None:
        return None
    login, _, host = url.netloc.rpartition("@")
    shown = f"{url.scheme}://{'***@' if login else ''}{host}{quote(url.path, safe=PATH)}"
    return shown[:LONGEST] + ("?***" if url.query else "") + ("#***" if url.fragment else "")


def _read_http_url(text: str, base: str = "") -> Optional[SplitResult]:
    try:
        url = urlsplit(urljoin(base, text))
        _ = url.port  # Raises a ValueError for another text.
    except ValueError:
        return None
    is_host = bool(url.hostname) and url.netloc.isprintable() and not set(url.netloc) & set(" \\")
    return url if url.scheme in ("http", "https") and is_host else None
