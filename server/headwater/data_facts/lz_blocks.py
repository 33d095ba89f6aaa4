"""Blocks of LZ4 and of LZO, of which nothing says how long they are unpacked, as they stand in ORC files.

References: ``lz4_Block_format.md`` of LZ4; ``Documentation/staging/lzo.rst`` of Linux for LZO1X. A block that is
broken, does not end where it says that it does, or is longer than ``most`` unpacked, is ``Malformed``.
"""

from __future__ import annotations

from .thrift import Malformed


class _Block:
    """What is left of a block, and what is unpacked of it."""

    def __init__(self, data: bytes, most: int) -> None:
        self._data, self._at, self._most = data, 0, most
        self.out = bytearray()

    @property
    def done(self) -> bool:
        return self._at == len(self._data)

    def byte(self) -> int:
        return self.take(1)[0]

    def take(self, count: int) -> bytes:
        """The next bytes."""
        end = self._at + count
        if end > len(self._data):
            raise Malformed("a part of it is cut off")
        found, self._at = self._data[self._at : end], end
        return found

    def short(self) -> int:
        return int.from_bytes(self.take(2), "little")

    def literals(self, count: int) -> None:
        """The next bytes stand for themselves."""
        self._room(count)
        self.out += self.take(count)

    def copy(self, distance: int, count: int) -> None:
        """So many bytes again from so far back, which may reach into what is copied."""
        self._room(count)
        if not 0 < distance <= len(self.out):
            raise Malformed("a part of it cannot be unpacked")
        again = bytes(self.out[-distance:])
        self.out += (again * (count // distance + 1))[:count]

    def _room(self, count: int) -> None:
        if len(self.out) + count > self._most:
            raise Malformed("a part of it is longer than what is read")


def of_lz4(data: bytes, most: int) -> bytes:
    """A block of LZ4. The last of its sequences has no copy."""
    block = _Block(data, most)
    while True:
        token = block.byte()
        block.literals(_more(block, token >> 4))
        if block.done:
            return bytes(block.out)
        distance = block.short()
        block.copy(distance, _more(block, token & 15) + 4)


def _more(block: _Block, count: int) -> int:
    """A length of LZ4: 15 means that bytes are to be added, up to one below 255."""
    more = 255 if count == 15 else 0
    while more == 255:
        more = block.byte()
        count += more
    return count


def of_lzo(data: bytes, most: int) -> bytes:
    """A block of LZO1X. ``state``: how many literals the last instruction had behind it, 4 for more."""
    block, state = _Block(data, most), 0
    first = data[:1]
    if first > b"\x11":
        count = block.byte() - 17
        block.literals(count)
        state = min(count, 4)
    while True:
        code = block.byte()
        if code >= 64:
            length = 3 + (code >> 5 & 1) if code < 128 else 5 + (code >> 5 & 3)
            distance, state = (block.byte() << 3) + (code >> 2 & 7) + 1, code & 3
        elif code >= 32:
            length = 2 + _zeros(block, code & 31, 31)
            far = block.short()
            distance, state = (far >> 2) + 1, far & 3
        elif code >= 16:
            length = 2 + _zeros(block, code & 7, 7)
            far = block.short()
            distance, state = 16384 + ((code & 8) << 11) + (far >> 2), far & 3
            if distance == 16384:
                if not block.done or length != 3:
                    raise Malformed("a part of it cannot be unpacked")
                return bytes(block.out)
        elif state == 0:
            block.literals(3 + _zeros(block, code, 15))
            state = 4
            continue
        else:
            length, near = (3, 2049) if state == 4 else (2, 1)
            distance, state = (block.byte() << 2) + (code >> 2) + near, code & 3
        block.copy(distance, length)
        block.literals(state)


def _zeros(block: _Block, count: int, most: int) -> int:
    """A length of LZO: 0 means ``most``, 255 for each byte that is 0, and the first that is not."""
    if count:
        return count
    more = block.byte()
    count = most
    while more == 0:
        count += 255
        more = block.byte()
    return count + more
