"""Hostile programs. Each prints ESCAPED if it succeeds.

NAME: code. The clock or a limit stops those in ENDLESS.
"""

TRY = '''
def attempt(action):
    try:
        result = action()
    except BaseException as error:
        print("denied:", type(error).__name__, error)
    else:
        print("ESCAPED", result)
'''

LIBC = TRY + '''
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    result = libc.syscall(number, *arguments)
    print("ESCAPED" if result >= 0 else "denied", number, result,
          ctypes.get_errno())
'''

PROGRAMS = {
    # processes
    "fork": TRY + "import os\nattempt(os.fork)",
    "fork bomb": "import os\nwhile True:\n  try: os.fork()\n"
                 "  except OSError: break",
    "vfork by libc": LIBC + "call(58)",
    "clone by libc": LIBC + "call(56, 17, 0, 0, 0, 0)",
    "clone with new namespaces": LIBC + "call(56, 0x10000000 | 17, 0,0,0,0)",
    "clone3": LIBC + "call(435, ctypes.create_string_buffer(88), 88)",
    "posix_spawn": TRY + "import os\nattempt(lambda: os.posix_spawn("
                   "'/usr/bin/cat', ['cat'], {}))",
    "subprocess": TRY + "import subprocess\nattempt(lambda: "
                  "subprocess.run(['/bin/sh', '-c', 'id']))",
    "os.system": "import os\nprint('ESCAPED' if os.system('true') == 0 "
                 "else 'denied')",
    "exec": TRY + "import os\nattempt(lambda: os.execv('/usr/bin/cat', "
            "['cat', '/etc/passwd']))",
    "exec of a file of its own": TRY + '''
import os
open('/tmp/x', 'wb').write(b'#!/usr/bin/cat\\n'); os.chmod('/tmp/x', 0o755)
attempt(lambda: os.execv('/tmp/x', ['x']))''',
    "exec from memory": LIBC + "call(319, b'x', 0)",
    "multiprocessing": TRY + "import multiprocessing\ndef f(): pass\n"
        "attempt(lambda: multiprocessing.get_context('fork').Process("
        "target=f).start())",
    "daemon": TRY + "import os\nattempt(os.setsid)\nattempt(os.fork)",
    "thread bomb": '''
import threading, time
made = 0
try:
    while made < 5000:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        made += 1
except RuntimeError: pass
print("ESCAPED" if made > 200 else "denied", made)''',
    # signals
    "kill the parent": TRY + "import os\nattempt(lambda: os.kill("
                       "os.getppid(), 9))",
    "kill everything": TRY + "import os\nattempt(lambda: os.kill(-1, 9))",
    "kill process 1": TRY + "import os\nattempt(lambda: os.kill(1, 9))",
    "kill the group": TRY + "import os\nattempt(lambda: os.killpg(0, 9))",
    "kill neighbours": "import os\n" + TRY +
        "for pid in [p for p in range(1, 3000) if p != os.getpid()]:\n"
        "  try:\n    os.kill(pid, 9); print('ESCAPED')\n"
        "  except OSError: pass",
    "tgkill another": LIBC + "call(234, 1, 1, 9)",
    "queue a signal": LIBC + "call(129, 1, 9, ctypes.create_string_buffer(128))",
    "pidfd of another": LIBC + "call(434, 1, 0)",
    "own a signal by fcntl": TRY + "import fcntl\nattempt(lambda: "
                             "fcntl.fcntl(1, fcntl.F_SETOWN, 1))",
    "kill itself": "import os\nos.kill(os.getpid(), 9)",
    "abort": "import os\nos.abort()",
    "_exit": "import os\nos._exit(77)",
    "sys.exit": "import sys\nsys.exit(5)",
    "segfault": "import ctypes\nctypes.string_at(0)",
    "stop clearing of signals": "import signal\nfor n in range(1, 64):\n"
        "  try: signal.signal(n, signal.SIG_IGN)\n"
        "  except (OSError, ValueError): pass",
    # other processes
    "ptrace": LIBC + "call(101, 16, 1, 0, 0)",
    "ptrace traceme": LIBC + "call(101, 0, 0, 0, 0)",
    "read memory of another": LIBC + "call(310, 1, 0, 0, 0, 0, 0)",
    "write memory of another": LIBC + "call(311, 1, 0, 0, 0, 0, 0)",
    "environment of the parent": TRY + '''
import os
for pid in ['self', '1', '2', str(os.getppid())]:
    attempt(lambda: open(f'/proc/{pid}/environ').read())''',
    "list processes": TRY + "import os\nattempt(lambda: os.listdir('/proc'))",
    "memory of the parent": TRY + "attempt(lambda: open('/proc/1/mem'))",
    "change limits of another": LIBC + "call(302, 1, 7, "
        "ctypes.create_string_buffer(16), 0)",
    "raise own limits": TRY + "import resource\nattempt(lambda: "
        "resource.setrlimit(resource.RLIMIT_AS, (-1, -1)))",
    # privileges
    "setuid": TRY + "import os\nattempt(lambda: os.setuid(0)) if os.getuid() "
              "else attempt(lambda: os.setuid(1))",
    "setgroups": TRY + "import os\nattempt(lambda: os.setgroups([0]))",
    "unshare": LIBC + "call(272, 0x10000000)",
    "mount": LIBC + "call(165, b'x', b'/tmp', b'tmpfs', 0, 0)",
    "unmount": LIBC + "call(166, b'/tmp', 2)",
    "new mount calls": LIBC + "call(430, b'tmpfs', 0)\ncall(428, -100, "
                       "b'/', 1)",
    "chroot": TRY + "import os\nattempt(lambda: os.chroot('/tmp'))",
    "pivot_root": LIBC + "call(155, b'/tmp', b'/tmp')",
    "setns": LIBC + "call(308, 0, 0)",
    "bpf": LIBC + "call(321, 0, 0, 0)",
    "perf_event_open": LIBC + "call(298, 0, 0, 0, 0, 0)",
    "userfaultfd": LIBC + "call(323, 1)",
    "io_uring": LIBC + "call(425, 8, ctypes.create_string_buffer(256))",
    "keyctl": LIBC + "call(250, 0, -3, 1)\ncall(248, b'user', b'a', b'b', 1, -3)",
    "personality": LIBC + "call(135, 0x0040000)",
    "reboot": LIBC + "call(169, 0, 0, 0, 0)",
    "kernel module": LIBC + "call(175, 0, 0, 0)",
    "open by handle": LIBC + "call(304, -100, "
                      "ctypes.create_string_buffer(64), 0)",
    "32-bit system calls": '''
import ctypes, mmap
code = bytes([0xb8,20,0,0,0, 0xcd,0x80, 0xc3])
page = mmap.mmap(-1, 4096, prot=7)
page.write(code)
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
result = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
print("ESCAPED" if result > 0 else "denied")''',
    "x32 system calls": LIBC + "call(0x40000000 + 39)",
    "undo seccomp": LIBC + "call(157, 22, 0, 0, 0, 0)\ncall(317, 0, 0, 0)",
    "undo death with the parent": LIBC + "call(157, 1, 0, 0, 0, 0)",
    "become dumpable": LIBC + "call(157, 4, 1, 0, 0, 0)",
    # network
    "connect": TRY + "import socket\nattempt(lambda: socket."
               "create_connection(('127.0.0.1', 5432), 1))",
    "udp": TRY + "import socket\nattempt(lambda: socket.socket("
           "socket.AF_INET, socket.SOCK_DGRAM))",
    "ipv6": TRY + "import socket\nattempt(lambda: socket.socket("
            "socket.AF_INET6))",
    "unix socket": TRY + "import socket\nattempt(lambda: socket.socket("
                   "socket.AF_UNIX))",
    "raw socket": TRY + "import socket\nattempt(lambda: socket.socket("
                  "socket.AF_INET, socket.SOCK_RAW, 1))",
    "netlink": TRY + "import socket\nattempt(lambda: socket.socket("
               "socket.AF_NETLINK, socket.SOCK_RAW))",
    "vsock": LIBC + "call(41, 40, 1, 0)",
    "urlopen": TRY + "import urllib.request\nattempt(lambda: "
               "urllib.request.urlopen('http://169.254.169.254/', timeout=1))",
    "resolve a name": TRY + "import socket\nattempt(lambda: "
                      "socket.getaddrinfo('example.com', 80))",
    # files
    "read passwd": TRY + "for p in ['/etc/passwd', '/etc/shadow', "
        "'/root/.ssh/id_rsa', '/var/lib', '/home', '/proc/self/environ']:\n"
        "  attempt(lambda: open(p).read())",
    "list the root": TRY + "import os\nattempt(lambda: os.listdir('/'))",
    "list other slots": TRY + "import os\nattempt(lambda: "
                        "os.listdir('/slots'))",
    "climb out of /tmp": TRY + "attempt(lambda: "
                         "open('/tmp/../../../../etc/passwd').read())",
    "write outside": TRY + "for p in ['/x', '/usr/lib/x', '/dev/x', '/var/x',"
        " '/usr/lib/python3.11/os.py', '/python/x', '/cache/x']:\n"
        "  attempt(lambda: open(p, 'w'))",
    "write to the packages": TRY + "import numpy\nattempt(lambda: "
                             "open(numpy.__file__, 'a'))",
    "devices": TRY + "for p in ['/dev/mem', '/dev/kmsg', '/dev/sda', "
        "'/dev/vda', '/dev/tty', '/dev/ptmx', '/dev/shm/x', '/dev/fuse']:\n"
        "  attempt(lambda: open(p, 'wb'))",
    "make a device": TRY + "import os, stat\nattempt(lambda: os.mknod("
        "'/tmp/d', 0o666 | stat.S_IFCHR, os.makedev(1, 1)))",
    "make a fifo": TRY + "import os\nattempt(lambda: os.mkfifo('/tmp/x.png'))",
    "inherited descriptors": '''
import os
for fd in range(3, 1024):
    try:
        os.fstat(fd); print("ESCAPED", fd)
    except OSError: pass''',
    "symbolic link as a chart": '''
import os
for n, target in enumerate(['/etc/passwd', '/dev/zero', '/proc/self/environ',
                            '/usr/lib/os-release']):
    os.symlink(target, f'/tmp/{n}.png')''',
    "hard link as a chart": "import os\nopen('/tmp/a.png','wb').write("
        "b'\\x89PNG\\r\\n\\x1a\\n')\nos.link('/tmp/a.png', '/tmp/b.png')",
    "folder as a chart": "import os\nos.mkdir('/tmp/a.png')",
    "text as a chart": "open('/tmp/a.png','w').write('<script>')",
    "huge chart file": "f=open('/tmp/a.png','wb')\n"
        "f.write(b'\\x89PNG\\r\\n\\x1a\\n'); f.truncate(50_000_000)",
    "thousand charts": "for n in range(1000): open(f'/tmp/{n}.png','wb')"
        ".write(b'\\x89PNG\\r\\n\\x1a\\n')",
    "odd chart names": "for n in ['a\\n.png', '\\x1b[2J.png', '..png', "
        "'x'*250+'.png']: open('/tmp/'+n,'wb').write("
        "b'\\x89PNG\\r\\n\\x1a\\n')",
    "unreadable folder left": "import os\nos.makedirs('/tmp/a/b')\n"
        "os.chmod('/tmp/a/b', 0)\nos.chmod('/tmp/a', 0)\nos.chmod('/tmp', 0)",
    "deep folders": "import os\nos.chdir('/tmp')\ntry:\n"
        "  while True: os.mkdir('d'); os.chdir('d')\nexcept OSError: pass",
    "fill /tmp": "import itertools\ntry:\n  for n in itertools.count():\n"
        "    open(f'/tmp/{n}','wb').write(b'x'*1000000)\n"
        "except OSError as e: print(e)",
    "fill inodes": "import itertools\ntry:\n  for n in itertools.count():\n"
        "    open(f'/tmp/{n}','w').close()\nexcept OSError as e: print(e)",
    "sparse file": "f=open('/tmp/a','wb')\ntry: f.truncate(1<<40); "
                   "print('ESCAPED')\nexcept OSError as e: print(e)",
    "descriptors": "import os\nl=[]\ntry:\n  while True: "
        "l.append(os.dup(1))\nexcept OSError: print(len(l))\n"
        "print('ESCAPED' if len(l) > 500 else 'denied')",
    # memory
    "memory bomb": "x = []\nwhile True: x.append(bytearray(10_000_000))",
    "numpy bomb": "import numpy\nnumpy.ones((100_000, 100_000))",
    "list bomb": "x = [0]\nwhile True: x += x",
    "string bomb": "x = 'x' * (1 << 34)",
    "integer bomb": "x = 1 << (1 << 34)",
    "mmap bomb": "import mmap\nl=[]\nwhile True: "
                 "l.append(mmap.mmap(-1, 50_000_000)); l[-1].write(b'x')",
    "pipe buffers": "import os, fcntl\nattempts=[]\ntry:\n  while True:\n"
        "    r, w = os.pipe(); fcntl.fcntl(w, 1031, 1 << 20)\n"
        "    print('ESCAPED')\nexcept OSError as e: print(e)",
    "shared memory": LIBC + "call(29, 0, 1 << 20, 0o1600)",
    "message queue": LIBC + "call(68, 0, 0o1600)\ncall(240, b'q', 66, 384, 0)",
    "recursion": "import sys\nsys.setrecursionlimit(10**9)\n"
                 "def f(): f()\nf()",
    "recursion in C": "x = None\nfor _ in range(200000): x = [x]\nrepr(x)\n"
                      "del x",
    "zip bomb": "import zlib\nd = zlib.compress(b'0' * 10**8)\n"
                "x = [zlib.decompress(d) for _ in range(100)]",
    "large figure": "import matplotlib.pyplot as plt\n"
                    "plt.figure(figsize=(600, 600)); plt.plot([1, 2])",
    "large dpi": "import matplotlib.pyplot as plt\nplt.plot([1])\n"
                 "plt.savefig('/tmp/a.png', dpi=20000)",
    "many figures": "import warnings; warnings.simplefilter('ignore')\n"
        "import matplotlib.pyplot as plt\n"
        "for n in range(20): plt.figure(figsize=(1,1)); plt.plot([1])",
    # the glue
    "patch the glue": '''
import sys, os, json, builtins, threading, traceback, atexit
for module in list(sys.modules.values()):
    if 'sextant' in getattr(module, '__name__', ''):
        for name in list(vars(module)):
            if not name.startswith('__'):
                setattr(module, name, None)
os._exit = os.write = print = lambda *a, **k: None
json.dumps = threading._shutdown = None
builtins.open = builtins.exec = None''',
    "close all descriptors": "import os\nos.closerange(0, 1000)",
    "forge the answer": '''
import os, json
for fd in range(0, 64):
    try: os.write(fd, json.dumps({"returnCode": 0, "stdout": "forged",
                                  "charts": ["forged"]}).encode() + b"\\n")
    except OSError: pass
os._exit(0)''',
    "forge an HTTP answer": "print('HTTP/1.1 200 OK\\r\\nContent-Length: 0"
                            "\\r\\n\\r\\n')",
    "exit in a destructor": "import os\nclass A:\n  def __del__(self): "
                            "os._exit(3)\na = A()",
    "exception that cannot be printed": "class E(Exception):\n"
        "  def __str__(self): raise E\n  __repr__ = __str__\nraise E",
    "exit code that is an attack": "import sys\nclass X:\n"
        "  def __str__(self): raise SystemExit(self)\nsys.exit(X())",
    "no stdout": "import sys\nsys.stdout = sys.stderr = None",
    "broken stdout": "import sys\nclass B:\n  def __getattr__(self, n): "
                     "raise MemoryError\nsys.stdout = sys.stderr = B()",
    "binary output": "import os\nos.write(1, bytes(range(256)) * 100)",
    "atexit": "import atexit, os\natexit.register(lambda: os._exit(9))",
    "random is not shared": "import random, numpy\n"
                            "print(random.random(), numpy.random.rand())",
    "syntax error": "def",
    "nul in the code": "print(1)\0",
    "surrogates": "print('\\ud800')",
    "read a secret from memory": '''
import gc
needle = "canary-" + "7d1f0c"
for thing in gc.get_objects():
    if isinstance(thing, dict):
        for value in list(thing.values()):
            if isinstance(value, str) and needle in value and \\
                    value != needle:
                print("ESCAPED")''',
}

ENDLESS = {
    "loop": "while True: pass",
    "sleep": "import time\ntime.sleep(1000)",
    "regular expression": "import re\nre.match(r'(a+)+$', 'a' * 64 + 'b')",
    "stop itself": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)"
                   "\nimport time\ntime.sleep(1000)",
    "ignore all signals": "import signal, time\nfor n in range(1, 64):\n"
        "  try: signal.signal(n, signal.SIG_IGN)\n"
        "  except (OSError, ValueError): pass\nwhile True: time.sleep(1)",
    "block all signals": "import signal, time\nsignal.pthread_sigmask("
        "signal.SIG_BLOCK, range(1, 64))\nwhile True: time.sleep(1)",
    "catch everything": "while True:\n  try:\n    while True: pass\n"
                        "  except BaseException: pass",
    "thread that never ends": "import threading, time\n"
        "threading.Thread(target=lambda: [time.sleep(1) for _ in "
        "range(1000)]).start()",
    "threads that compute": "import threading\ndef f():\n  while True: pass\n"
        "[threading.Thread(target=f).start() for _ in range(30)]",
    "atexit that never ends": "import atexit, time\n"
                              "atexit.register(time.sleep, 1000)",
    "wait for input": "import os, select\n"
                      "select.select([], [], [], 1000)",
    "hold the GIL": "sum(x for x in iter(int, 1))",
    "stdout": "while True: print('x' * 1000)",
    "stderr": "import sys\nwhile True: sys.stderr.write('x' * 1000)",
    "both outputs by descriptor": "import os\nwhile True:\n"
        "  os.write(1, b'x' * 65536); os.write(2, b'y' * 65536)",
    "yield the processor": "import os\nwhile True: os.sched_yield()",
    "files again and again": "import os\nwhile True:\n"
        "  open('/tmp/a', 'wb').write(b'x' * 100000); os.unlink('/tmp/a')",
    "lock": "import threading\nl = threading.Lock(); l.acquire(); l.acquire()",
}
