"""Machines that are network namespaces: each has its own loopback and one cable to a common
network, which can be unplugged. What is started inside one stays in it."""
import contextlib
import ctypes
import os
import shutil
import signal
import subprocess

IP = shutil.which("ip") or shutil.which("ip", path="/usr/sbin:/sbin")
CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


def checked(result):
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def own_namespace():
    return os.open("/proc/thread-self/ns/net", os.O_RDONLY)


def ip(*words):
    subprocess.run([IP, *map(str, words)], check=True, capture_output=True, timeout=30)


class Machine:
    def __init__(self):
        """Raises PermissionError where this process may not make namespaces."""
        before = own_namespace()
        try:
            checked(LIBC.unshare(CLONE_NEWNET))
            try:
                self.namespace = own_namespace()
                # `ip` names a namespace by a process in it.
                self.holder = subprocess.Popen(["sleep", "3600"])
                ip("link", "set", "lo", "up")
            finally:
                checked(LIBC.setns(before, CLONE_NEWNET))
        finally:
            os.close(before)

    @contextlib.contextmanager
    def inside(self):
        """This thread, and the processes and threads that it starts, are there."""
        before = own_namespace()
        checked(LIBC.setns(self.namespace, CLONE_NEWNET))
        try:
            yield self
        finally:
            checked(LIBC.setns(before, CLONE_NEWNET))
            os.close(before)

    def remove(self):
        self.holder.send_signal(signal.SIGKILL)
        self.holder.wait(30)
        os.close(self.namespace)


class Network:
    """A machine in the middle, .1 of a network of its own, and `n` machines around it."""

    BASE = "10.93.0."

    def __init__(self, n):
        self.middle, self.machines = Machine(), []
        self.address = self.BASE + "1"
        with self.middle.inside():
            ip("link", "add", "switch", "type", "bridge")
            ip("address", "add", f"{self.address}/24", "dev", "switch")
            ip("link", "set", "switch", "up")
        for number in range(n):
            self._add(number)

    def _add(self, number):
        machine = Machine()
        self.machines.append(machine)
        with self.middle.inside():
            ip("link", "add", self.cable(number), "type", "veth", "peer", "name", "net",
               "netns", machine.holder.pid)
            ip("link", "set", self.cable(number), "master", "switch", "up")
        machine.address = f"{self.BASE}{number + 11}"
        with machine.inside():
            ip("address", "add", f"{machine.address}/24", "dev", "net")
            ip("link", "set", "net", "up")

    @staticmethod
    def cable(number):
        return f"cable{number}"

    def unplug(self, number):
        with self.middle.inside():
            ip("link", "set", self.cable(number), "down")

    def plug(self, number):
        with self.middle.inside():
            ip("link", "set", self.cable(number), "up")

    def remove(self):
        for machine in (*self.machines, self.middle):
            machine.remove()
