"""Keys of an identity provider: created and used with openssl, served as a JWK Set."""
import http.server
import json
import subprocess
import threading

from kit.tokens import encode


def openssl(*words, **more):
    return subprocess.run(["openssl", *map(str, words)], check=True,
                          capture_output=True, timeout=60, **more).stdout


class Key:
    """kind: RS256 or ES256."""

    def __init__(self, folder, kid, kind="RS256", bits=2048):
        self.kid, self.kind, self.path = kid, kind, folder / f"{kid}.pem"
        how = ["-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}"] \
            if kind == "RS256" else \
            ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
        openssl("genpkey", *how, "-out", self.path)

    @property
    def pem(self):
        return openssl("pkey", "-in", self.path, "-pubout").decode()

    @property
    def jwk(self):
        if self.kind == "RS256":
            said = openssl("rsa", "-in", self.path, "-noout", "-modulus").decode()
            n = bytes.fromhex(said.strip().partition("=")[2])
            return {"kty": "RSA", "kid": self.kid, "use": "sig", "alg": "RS256",
                    "n": encode(n), "e": "AQAB"}
        der = openssl("pkey", "-in", self.path, "-pubout", "-outform", "DER")
        point = der[-64:]
        return {"kty": "EC", "kid": self.kid, "crv": "P-256",
                "x": encode(point[:32]), "y": encode(point[32:])}

    def sign(self, claims, header=None):
        head = {"alg": self.kind, "kid": self.kid, **(header or {})}
        head = {k: v for k, v in head.items() if v is not None}
        signing = f"{encode(head)}.{encode(claims)}"
        mac = openssl("dgst", "-sha256", "-sign", self.path,
                      input=signing.encode())
        if self.kind == "ES256":
            mac = raw_signature(mac)
        return f"{signing}.{encode(mac)}"


def raw_signature(der):
    """r and s side by side, 32 bytes each, out of their DER."""
    numbers, at = b"", 2
    for _ in range(2):
        size = der[at + 1]
        numbers += der[at + 2:at + 2 + size].lstrip(b"\0").rjust(32, b"\0")
        at += 2 + size
    return numbers


class JwkSet:
    """A server that publishes the current keys, and counts the requests."""

    def __init__(self, *keys):
        self.keys, self.asked, self.status = list(keys), 0, 200
        self.location = None  # where else they are said to be
        jwk_set = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                jwk_set.asked += 1
                body = json.dumps({"keys": [k.jwk for k in jwk_set.keys]}).encode()
                self.send_response(jwk_set.status)
                self.send_header("Content-Length", str(len(body)))
                if jwk_set.location:
                    self.send_header("Location", jwk_set.location)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/jwks.json"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
