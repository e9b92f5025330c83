"""Starts the code under test where it can reach nothing of the grader's, and ends all of it.

    python -I -S confine.py [--open]

Run as a program, with a socket as its stdin. It knows nothing of petteia: `rooms` is the other end.

The gate, the first process, enters namespaces of its own: users, mounts, network, messages between
processes. For each program under test it makes a room: a process that is the first of its own process
namespace, sees only what it was told to show, and starts one command at a time. It measures what the
command and all that it has started use, and kills everything in the room when the command ends or uses too
much; if the room ends, or petteia does, the kernel kills the rest. With --open there are no namespaces:
rooms then only keep to limits, and end what they find.

Messages are JSON, one line each. Files are passed along with them.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import platform
import resource
import select
import signal
import socket
import struct
import sys
import time
from typing import Any

LINUX = sys.platform == "linux"

# From linux/sched.h, linux/mount.h and linux/prctl.h.
NEW_MOUNTS, NEW_CGROUP, NEW_NAMES, NEW_MESSAGES = 0x20000, 0x2000000, 0x4000000, 0x8000000
NEW_USERS, NEW_PROCESSES, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
READ_ONLY, NO_SUID, NO_DEVICES, NO_PROGRAMS, REMOUNT, BIND, DEEP, PRIVATE = (
    1,
    2,
    4,
    8,
    32,
    4096,
    16384,
    1 << 18,
)
DETACH = 2
SET_DUMPABLE, SET_SECCOMP, SUBREAPER, NO_NEW_RIGHTS = 4, 22, 36, 38

NOBODY = 65534
"""The user that the code under test is for the rest of the system, if the grader is root."""
SOMEBODY = 1000
"""The same user inside."""

DENIED = {
    # Namespaces and mounts, the kernel itself, keys, clocks, and memory that outlives its processes. From the
    # tables of system calls of the two machines, in the same order.
    "x86_64": (
        *(272, 308, 165, 166, 155, 161, 428, 429, 430, 431, 432, 433, 442, 167, 168, 169, 246, 320, 175, 313),
        *(176, 321, 298, 248, 249, 250, 323, 425, 426, 427, 29, 68, 64, 240, 179, 163, 103, 164, 227, 159),
        *(304, 303),
    ),
    "aarch64": (
        *(97, 268, 40, 39, 41, 51, 428, 429, 430, 431, 432, 433, 442, 224, 225, 142, 104, 294, 105, 273),
        *(106, 280, 241, 217, 218, 219, 282, 425, 426, 427, 194, 186, 190, 180, 60, 89, 116, 170, 112, 171),
        *(265, 264),
    ),
}
"""Calls that no assignment needs: unshare, setns, mount, umount2, pivot_root, chroot, open_tree, move_mount,
fsopen, fsconfig, fsmount, fspick, mount_setattr, swapon, swapoff, reboot, kexec_load, kexec_file_load,
init_module, finit_module, delete_module, bpf, perf_event_open, add_key, request_key, keyctl, userfaultfd,
io_uring_setup, io_uring_enter, io_uring_register, shmget, msgget, semget, mq_open, quotactl, acct, syslog,
settimeofday, clock_settime, adjtimex, open_by_handle_at, name_to_handle_at."""
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CLONE = {"x86_64": 56, "aarch64": 220}
SOCKET = {"x86_64": 41, "aarch64": 198}
CLONE3 = 435

libc = ctypes.CDLL(None, use_errno=True)


def told(done: int, what: str) -> None:
    """Raise OSError if a call of the C library failed."""
    if done:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """Mount something, or raise OSError."""
    words = [word.encode(errors="surrogateescape") or None for word in (source, target, kind)]
    done = libc.mount(*words, ctypes.c_ulong(flags), data.encode() or None)
    told(done, f"mount {kind or source} on {target}")


def show(source: str, target: str, writable: bool = False) -> None:
    """Show a file or folder at a place, which is made."""
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    elif not os.path.exists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    mount(source, target, flags=BIND | DEEP)
    # A mount that the grader's system has made stricter may not be made less strict.
    kept = os.statvfs(target).f_flag & (NO_SUID | NO_DEVICES | NO_PROGRAMS | 1024 | 2048)
    strict = NO_SUID | kept | (0 if writable else READ_ONLY)
    mount("", target, flags=REMOUNT | BIND | strict)


def enter_namespaces(users: bool) -> None:
    """Enter namespaces of its own; a child that stays outside writes down who the users are."""
    user, group = os.getuid(), os.getgid()
    parent = os.getpid()
    ours, theirs = socket.socketpair()
    child = os.fork() if users else 0
    if users and child == 0:
        theirs.recv(1)
        failed = b"\0"
        try:
            for name, own in (("uid_map", user), ("gid_map", group)):
                lines = f"0 0 1\n{SOMEBODY} {NOBODY} 1\n" if user == 0 else f"{own} {own} 1\n"
                if user and name == "gid_map":
                    put(f"/proc/{parent}/setgroups", "deny")
                put(f"/proc/{parent}/{name}", lines)
        except OSError as error:
            failed = str(error).encode()
        theirs.send(failed)
        os._exit(0)
    flags = NEW_MOUNTS | NEW_CGROUP | NEW_NAMES | NEW_MESSAGES | NEW_NETWORK | (NEW_USERS if users else 0)
    try:
        told(libc.unshare(flags), "new namespaces")
    finally:
        ours.send(b"\0")
    if users:
        failed = ours.recv(1000)
        os.waitpid(child, 0)
        if failed != b"\0":
            raise OSError(failed.decode())
    mount("none", "/", flags=DEEP | PRIVATE)
    libc.sethostname(b"petteia", 7)


def put(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def furnish(room: dict[str, Any]) -> None:
    """Make a root of what the room may see, and move there; the rest of the system is then out of reach."""
    root, small = room["root"], "mode=755,size=1m,nr_inodes=4k"
    mount("root", root, "tmpfs", NO_SUID | NO_DEVICES, small)
    for link, target in room["links"]:
        os.symlink(target, root + link)
    for path in room["system"]:
        show(path, root + path)
    disk = f"mode=1777,size={room['disk']},nr_inodes=16k"
    os.makedirs(root + "/tmp", exist_ok=True)
    mount("tmp", root + "/tmp", "tmpfs", NO_SUID | NO_DEVICES, disk)
    os.makedirs(root + "/dev")
    for name in ("null", "zero", "full", "random", "urandom"):
        show(f"/dev/{name}", f"{root}/dev/{name}", writable=True)
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"{root}/dev/{name}")
    os.symlink("/tmp", root + "/dev/shm")
    os.makedirs(root + "/proc")
    mount("proc", root + "/proc", "proc", NO_SUID | NO_DEVICES | NO_PROGRAMS)
    os.makedirs(root + "/etc", exist_ok=True)
    put(root + "/etc/passwd", f"student:x:{SOMEBODY}:{SOMEBODY}::/tmp:/bin/sh\n")
    hidden = []
    for target, source, writable in room["places"]:
        place = root + target
        if source is not None:
            show(source, place, writable)
        elif os.path.isdir(place):
            mount("hidden", place, "tmpfs", NO_SUID | NO_DEVICES, "mode=755,size=256k,nr_inodes=1k")
            hidden.append(place)
        elif os.path.exists(place):
            mount("/dev/null", place, flags=BIND)
    for place in hidden:
        mount("", place, flags=REMOUNT | BIND | READ_ONLY | NO_SUID | NO_DEVICES)
    mount("", root, flags=REMOUNT | BIND | READ_ONLY | NO_SUID | NO_DEVICES)
    os.chdir(root)
    told(libc.syscall(PIVOT_ROOT[platform.machine()], b".", b"."), "pivot_root")
    told(libc.umount2(b".", DETACH), "umount")
    os.chdir("/")


PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}


def forbid() -> None:
    """Give up new rights, and the system calls that no assignment needs, for good."""
    told(libc.prctl(NO_NEW_RIGHTS, 1, 0, 0, 0), "no new rights")
    machine = platform.machine()
    permission = 0x50000 | errno.EPERM
    refuse = 0x50000 | errno.ENOSYS
    allow, kill = 0x7FFF0000, 0x80000000
    load, equal, at_least, any_of, end = 0x20, 0x15, 0x35, 0x45, 0x06
    namespaces = NEW_MOUNTS | NEW_CGROUP | NEW_NAMES | NEW_MESSAGES | NEW_USERS | NEW_PROCESSES | NEW_NETWORK
    # Instructions of the kernel's packet filter: code, jump if true, jump if false, operand.
    program = [(load, 0, 0, 4), (equal, 1, 0, ARCHITECTURE[machine]), (end, 0, 0, kill), (load, 0, 0, 0)]
    program += [(at_least, 0, 1, 0x40000000), (end, 0, 0, refuse)]
    for number in DENIED[machine]:
        program += [(equal, 0, 1, number), (end, 0, 0, permission)]
    # The C library then uses clone, whose flags can be seen.
    program += [(equal, 0, 1, CLONE3), (end, 0, 0, refuse)]
    program += [(equal, 0, 4, CLONE[machine]), (load, 0, 0, 16), (any_of, 0, 1, namespaces)]
    program += [(end, 0, 0, permission), (end, 0, 0, allow)]
    # Sockets of the local kinds and of the internet, of which there is none; not of virtual machines, say.
    program += [(equal, 0, 6, SOCKET[machine]), (load, 0, 0, 16)]
    program += [(equal, 2, 0, socket.AF_UNIX), (equal, 1, 0, socket.AF_INET), (equal, 0, 1, socket.AF_INET6)]
    program += [(end, 0, 0, allow), (end, 0, 0, 0x50000 | errno.EAFNOSUPPORT), (end, 0, 0, allow)]
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code)
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer)))
    told(libc.prctl(SET_SECCOMP, 2, header, 0, 0), "seccomp")


class Channel:
    """The way to petteia: messages, and the files that come with them."""

    def __init__(self, socket: socket.socket) -> None:
        self.socket = socket
        self.waiting = b""
        self.files: list[int] = []

    def receive(self) -> Any:
        """Return the next message, or None at the end."""
        while b"\n" not in self.waiting:
            data, files, _, _ = socket.recv_fds(self.socket, 1 << 16, 16)
            self.files += files
            if not data:
                return None
            self.waiting += data
        line, _, self.waiting = self.waiting.partition(b"\n")
        return json.loads(line)

    def take(self, number: int) -> list[int]:
        """Return the files of the last message."""
        taken, self.files = self.files[:number], self.files[number:]
        return taken

    def send(self, message: object) -> None:
        """Send a message."""
        self.socket.sendall(json.dumps(message).encode() + b"\n")


def gate(channel: Channel) -> None:
    """Enter the namespaces, and make rooms until petteia is done."""
    settings = channel.receive()
    confined, users = "--open" not in sys.argv, False
    if confined:
        try:
            users = settings["users"]
            enter_namespaces(users)
            told(libc.prctl(SET_DUMPABLE, 0, 0, 0, 0), "not dumpable")
            size = f"mode=777,size={settings['disk']},nr_inodes=64k"
            mount("work", settings["work"], "tmpfs", NO_SUID | NO_DEVICES, size)
            os.umask(0)
        except (OSError, KeyError) as error:
            return channel.send({"failed": str(error)})
    for folder in settings["folders"]:
        os.mkdir(os.path.join(settings["work"], folder), 0o777)
    os.umask(0o022)
    channel.send({})
    if LINUX:
        libc.prctl(SUBREAPER, 1, 0, 0, 0)
    while True:
        room = channel.receive()
        if room is None:
            # The rooms end with their sockets. Who waits for the gate waits for all.
            with contextlib.suppress(ChildProcessError):
                while True:
                    os.waitpid(-1, 0)
            return
        files = channel.take(1)
        between = os.fork()
        if between == 0:
            channel.socket.close()
            inside(Channel(socket.socket(fileno=files[0])), room, confined)
            os._exit(0)
        for file in files:
            os.close(file)
        os.waitpid(between, 0)
        # Rooms that have ended.
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def inside(channel: Channel, room: dict[str, Any], confined: bool) -> None:
    """Become a room, in a child: a process namespace begins with a child."""
    failed = None
    if confined:
        try:
            told(libc.unshare(NEW_PROCESSES), "a process namespace")
        except OSError as error:
            failed = str(error)
    if failed is None and os.fork():
        return
    try:
        if failed:
            raise OSError(failed)
        if confined:
            told(libc.unshare(NEW_MOUNTS), "mounts")
            furnish(room)
            if os.getuid() == 0:
                user = SOMEBODY if room["users"] else NOBODY
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
            told(libc.prctl(SET_DUMPABLE, 0, 0, 0, 0), "not dumpable")
            forbid()
        else:
            os.setsid()
            if LINUX:
                libc.prctl(SUBREAPER, 1, 0, 0, 0)
    except (OSError, KeyError) as error:
        return channel.send({"failed": str(error)})
    served = Room(channel, confined)
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        channel.send({})
        served.serve()
    served.clear(served.child)


class Room:
    """A place for one command at a time."""

    def __init__(self, channel: Channel, confined: bool) -> None:
        self.channel = channel
        self.confined = confined
        self.child = 0
        self.handle = -1
        """A file that tells when the child has ended, where the kernel has such."""
        self.status: int | None = None
        self.limits: dict[str, Any] = {}
        self.since = self.changed = self.before = self.last = 0.0

    def serve(self) -> None:
        """Do what petteia says, until it has gone."""
        while True:
            poll = select.poll()
            poll.register(self.channel.socket, select.POLLIN)
            if self.handle >= 0:
                poll.register(self.handle, select.POLLIN)
            # Between its tasks, a command is looked at now and then.
            pause = None if not self.child else 20 if self.limits.get("watch") else 500
            ready = dict(poll.poll(2 if self.child and self.handle < 0 else pause))
            if self.child and (self.handle in ready or self.ended()):
                self.end("")
            elif self.child and not ready:
                self.look()
            # Several messages may have come at once.
            while self.channel.waiting or self.channel.socket.fileno() in ready:
                ready = {}
                message = self.channel.receive()
                if message is None:
                    return
                if "command" in message:
                    self.start(message, self.channel.take(message["files"]))
                elif "seconds" in message:
                    self.watch(message)
                elif "unwatch" in message:
                    self.limits.pop("watch", None)
                    self.channel.send({"unwatched": True})
                elif self.child:
                    self.end("stopped")

    def ended(self) -> bool:
        """Return whether the command has ended, where no file tells."""
        if self.handle >= 0:
            return False
        ended, self.status = os.waitpid(self.child, os.WNOHANG)
        return ended != 0

    def watch(self, message: dict[str, Any]) -> None:
        """Begin to count time."""
        if not self.child:
            return
        self.limits = {**self.limits, **message, "watch": True}
        self.since = self.changed = time.monotonic()
        self.before = self.last = self.used()[0]

    def start(self, message: dict[str, Any], files: list[int]) -> None:
        """Start a command with the files as its stdin, stdout, stderr and further ones."""
        # Limits are for good, and for the room as well: whoever may raise them again is not to be found here.
        for name, most in message["limits"]["kernel"].items():
            which = getattr(resource, "RLIMIT_" + name, None)
            if which is not None:
                hard = resource.getrlimit(which)[1]
                most = most if hard == resource.RLIM_INFINITY else min(most, hard)
                resource.setrlimit(which, (most, most))
        # What is passed has higher numbers than it is to have, in the same order.
        actions: list[tuple[int, ...]] = [
            (os.POSIX_SPAWN_DUP2, file, number) for number, file in enumerate(files)
        ]
        actions += [(os.POSIX_SPAWN_CLOSE, file) for file in files if file >= len(files)]
        os.chdir(message["folder"])
        command = message["command"]
        reset = [signal.SIGPIPE, signal.SIGXFSZ]
        try:
            self.child = os.posix_spawn(
                command[0],
                command,
                message["environment"],
                file_actions=actions,
                setsid=True,
                setsigdef=reset,
            )
        except OSError as error:
            os.write(files[2], f"{command[0]} cannot be started: {error.strerror}\n".encode(errors="replace"))
            self.channel.send({"code": 126, "why": ""})
        for file in files:
            os.close(file)
        if not self.child:
            return
        if LINUX and "seconds" in message["limits"]:
            with contextlib.suppress(ProcessLookupError):
                most = int(message["limits"]["seconds"]) + 2
                resource.prlimit(self.child, resource.RLIMIT_CPU, (most, most))
        self.status = None
        with contextlib.suppress(OSError, AttributeError):
            self.handle = os.pidfd_open(self.child)
        self.limits = message["limits"]
        self.since = self.changed = time.monotonic()
        self.before = self.last = 0.0

    def members(self) -> list[int]:
        """Return the processes in the room."""
        if self.confined:
            return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]
        found, new = [], [os.getpid()] if LINUX else []
        while new:
            children = []
            for parent in new:
                with contextlib.suppress(OSError), open(f"/proc/{parent}/task/{parent}/children") as file:
                    children += [int(word) for word in file.read().split()]
            found += children
            new = children
        return found or ([self.child] if self.child else [])

    def used(self) -> tuple[float, int, int, bool]:
        """Return seconds of the processor, bytes of memory, processes, and whether any of them works."""
        seconds, memory, works = 0.0, 0, False
        members = self.members()
        for member in members:
            with contextlib.suppress(OSError, ValueError, IndexError):
                with open(f"/proc/{member}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
                seconds += sum(map(int, fields[11:15])) / TICKS
                memory += int(fields[21]) * PAGE
                works |= fields[0] in b"RD"
        return seconds, memory, len(members), works

    def look(self) -> None:
        """Kill everything in the room if it uses too much."""
        limits, now = self.limits, time.monotonic()
        seconds, memory, processes, works = self.used()
        if works or seconds != self.last:
            self.last, self.changed = seconds, now
        why = ""
        if memory > limits["memory"]:
            why = "memory"
        elif processes > limits["processes"]:
            why = "processes"
        elif limits.get("watch"):
            if seconds - self.before > limits["seconds"]:
                why = "seconds"
            elif now - self.changed > limits["idle"]:
                why = "idle"
            elif now - self.since > limits["patience"]:
                why = "patience"
        if why:
            self.end(why)

    def end(self, why: str) -> None:
        """Kill everything in the room, and tell how the command ended."""
        code = None
        if not why:
            status = self.status if self.status is not None else os.waitpid(self.child, 0)[1]
            code = os.waitstatus_to_exitcode(status)
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1
        child, self.child = self.child, 0
        killed = self.clear(child)
        self.limits = {}
        self.channel.send({"code": killed if code is None else code, "why": why})

    def clear(self, child: int = 0) -> int:
        """Kill everything in the room, and return how a child ended."""
        code = -signal.SIGKILL
        while True:
            if self.confined:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(-1, signal.SIGKILL)
            else:
                for member in self.members():
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(member, signal.SIGKILL)
                if child:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.killpg(child, signal.SIGKILL)
            try:
                ended, status = os.waitpid(-1, 0)
            except ChildProcessError:
                return code
            if ended == child:
                code = os.waitstatus_to_exitcode(status)


TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")

if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        gate(Channel(socket.socket(fileno=0)))
