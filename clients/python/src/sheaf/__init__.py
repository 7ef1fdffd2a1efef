"""Client of the Sheaf document API: PDF tools, web pages and invoices."""

from ._errors import (
    Problem,
    SheafApiError,
    SheafConnectionError,
    SheafError,
    SheafForeignResponseError,
    SheafTimeoutError,
)
from ._async import AsyncSheafResult
from ._async_operations import AsyncSheaf
from ._operations import Sheaf
from ._result import SheafResult
from ._version import VERSION as __version__

__all__ = [
    "AsyncSheaf",
    "AsyncSheafResult",
    "Problem",
    "Sheaf",
    "SheafApiError",
    "SheafConnectionError",
    "SheafError",
    "SheafForeignResponseError",
    "SheafResult",
    "SheafTimeoutError",
    "__version__",
]
