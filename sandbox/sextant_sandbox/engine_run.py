"""A query or a build, seen from the front: as an execution, but its child runs only
this package and the engine, and answers with JSON on its standard output.

The answer of a query counts as soon as the pipe is closed; the child is killed and
forgotten. That of a build counts when all its processes are dead, because the files
that it made are then final.
"""

import asyncio
import json

from .execution import ClientGone, Execution

MOST_ANSWER = 48 << 20


class Ended(Exception):
    """The child gave no answer; `kind` is timeout or memory."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


class Query(Execution):
    def __init__(self, spare, options, task, take=()):
        super().__init__(spare, options, task, take)
        self.out.most = MOST_ANSWER

    async def _answer(self, client, timeout):
        """The bytes of a JSON object; raises Ended, too."""
        ended = self._task(self.out.ended.wait())
        await self._first_of([ended, self.spare.done, client], timeout)
        if client.done() and not ended.done():
            raise ClientGone
        if self.spare.done.done() and not ended.done():
            self.spare.done.result()  # raises if its zygote is gone
            await self._first_of([ended], 2)
        if not ended.done():
            raise Ended("timeout")
        return self._whole()

    def _whole(self):
        text = bytes(self.out.kept)
        if self.out.total > self.out.most or not text.endswith(b"}\n"):
            raise Ended("memory")
        return text


class Build(Query):
    """Leaves `made`: [(name, descriptor)] of the files that it was asked for."""

    made = ()

    async def _answer(self, client, timeout):
        await self._first_of([self.spare.done, client], timeout)
        if self.spare.done.done():
            message, fds = self.spare.done.result()
            self.collected = True
            self.made = list(zip(message["taken"], fds))
            await self._first_of([self._task(self.out.ended.wait())], 2)
            return _parsed(self._whole())
        if client.done():
            raise ClientGone
        raise Ended("timeout")


def _parsed(text):
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        raise Ended("memory") from None
    if not isinstance(answer, dict):
        raise Ended("memory")
    return answer
