"""Writing files so that nothing on disk is ever lost or half-written."""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["written_aside"]


@contextmanager
def written_aside(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a new file beside `path` that takes its place when all of it was written.

    Parameters
    ----------
    path : path
        The file to write; an old one stays as it is until the new one is complete, and for good
        when writing fails. Links are followed, the rights of an old file are kept, and what is no
        file (a device, a pipe) is written to directly.

    Raises
    ------
    OSError
        If the file cannot be written there.

    Examples
    --------
    >>> folder = tempfile.mkdtemp()
    >>> with written_aside(Path(folder) / "note.txt") as file:
    ...     _ = file.write(b"complete")
    >>> (Path(folder) / "note.txt").read_text()
    'complete'
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        # A device or a pipe is written to, not replaced; a folder refuses by itself.
        with target.open("wb") as file:
            yield file
        return
    mode = 0o666 & ~_umask()
    if target.exists():
        mode = stat.S_IMODE(target.stat().st_mode)
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, "the file may not be written", str(path))
    handle, aside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(aside, mode)
        os.replace(aside, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(aside)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
