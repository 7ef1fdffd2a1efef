"""What asynchronous clients have in common."""

from __future__ import annotations

import asyncio
import builtins
import os
import pathlib
from typing import Any, Callable, Generic, Union

from ._operations import Sheaf
from ._result import Report, SheafResult


class AsyncSheafResult(Generic[Report]):
    """The file of a response, for programs with an event loop. Threads read it."""

    def __init__(self, result: SheafResult[Report]) -> None:
        self._result = result
        self.headers = result.headers
        self.name = result.name
        self.content_type = result.content_type
        self.warnings = result.warnings
        self.credits_charged = result.credits_charged
        self.credit_balance = result.credit_balance
        self.request_id = result.request_id

    async def bytes(self) -> builtins.bytes:
        """Returns the file. If the connection ends early, the request is repeated, which costs nothing."""
        return await asyncio.to_thread(self._result.bytes)

    async def text(self) -> str:
        """Returns the text of the file, such as the text of OCR."""
        return await asyncio.to_thread(self._result.text)

    async def json(self) -> Report:
        """Returns the value of a JSON file."""
        return await asyncio.to_thread(self._result.json)

    async def save(self, path: Union[str, os.PathLike[str]]) -> pathlib.Path:
        """Saves the file and returns its path. In a folder, the file keeps its name."""
        return await asyncio.to_thread(self._result.save, path)


class AsyncClient:
    """Sends requests in threads, with the settings of `Sheaf`. `AsyncSheaf` has a method for each endpoint.

    A task that is canceled stops waiting, but its request goes on and may be charged.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        self._sheaf = Sheaf(*args, **settings)

    async def credits(self) -> int:
        """Returns the balance of the account. Costs nothing."""
        return await asyncio.to_thread(self._sheaf.credits)

    async def _run(
        self, send: Callable[..., SheafResult[Report]], *args: Any, **settings: Any
    ) -> AsyncSheafResult[Report]:
        return AsyncSheafResult(await asyncio.to_thread(send, *args, **settings))
