"""Client of the Sheaf document API: PDF tools, web pages and invoices."""

from ._errors import Problem, SheafApiError, SheafConnectionError, SheafError, SheafTimeoutError
from ._operations import Sheaf
from ._result import SheafResult
from ._version import VERSION as __version__

__all__ = [
    "Problem",
    "Sheaf",
    "SheafApiError",
    "SheafConnectionError",
    "SheafError",
    "SheafResult",
    "SheafTimeoutError",
    "__version__",
]
