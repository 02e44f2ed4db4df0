"""A real nginx with the unchanged deploy/nginx.conf."""
import os
import shutil
import signal
import subprocess
from urllib.parse import urlsplit

from postgres import free_port
from sextant import ROOT, wait_until

from kit.client import Client

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin")
AROUND = """
user {user};
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log stderr;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {conf};
}}
"""


class Nginx:
    def __init__(self, folder, *upstreams):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        (folder / "sextant-upstream.conf").write_text("".join(
            f"server {urlsplit(url).netloc};\n" for url in upstreams))
        (folder / "sextant-listen.conf").write_text(
            f"listen 127.0.0.1:{self.port};\n")
        (folder / "nginx.conf").write_text(AROUND.format(
            folder=folder, conf=ROOT / "deploy" / "nginx.conf",
            user="root" if os.getuid() == 0 else "nobody"))
        self.line = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]
        subprocess.run([*self.line, "-t", "-q"], check=True, timeout=30)
        self.process = subprocess.Popen(self.line)
        wait_until(lambda: self.answers(), what="nginx")

    def answers(self):
        try:
            return Client(self.url).get("/healthz").status == 200
        except OSError:
            return False

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
