"""Messages between front and zygote: JSON and file descriptors.

One SEQPACKET packet is one message, so there is no framing to get wrong.
"""

import json
import os
import socket

MAX_MESSAGE = 128 * 1024
MAX_FDS = 64


def pair():
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def send(sock, message, fds=()):
    socket.send_fds(sock, [json.dumps(message).encode()], list(fds))


def receive(sock):
    """Returns (message, fds); (None, []) when the other side has closed."""
    try:
        packet, fds, _, _ = socket.recv_fds(sock, MAX_MESSAGE, MAX_FDS)
    except (ConnectionResetError, BrokenPipeError):
        return None, []
    for fd in fds:
        os.set_inheritable(fd, False)
    return (json.loads(packet), fds) if packet else (None, fds)
