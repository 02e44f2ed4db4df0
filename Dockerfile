# The Sextant server. It needs an external PostgreSQL (DATABASE_URL); its sandbox is a
# separate container (sandbox/Dockerfile): see compose.yaml.
#
#   docker build -t sextant .
#   docker run --read-only --tmpfs /tmp --cap-drop ALL \
#     --security-opt no-new-privileges -v sextant:/var/lib/sextant \
#     -e DATABASE_URL=… -e SANDBOX_URL=off -p 8080:8080 sextant

FROM debian:bookworm-slim AS build
WORKDIR /src
COPY .ci/packages .ci/packages
RUN .ci/packages --install build \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    ca-certificates make python3-venv \
 && rm -rf /var/lib/apt/lists/*
# The packages of the page are a separate layer, which source changes do not invalidate.
COPY Makefile ./
COPY .ci/npm .ci/npm
COPY web/package.json web/package-lock.json web/node.requirements.txt web/
RUN make web-packages
COPY . .
RUN meson setup build -Dtests=false -Dstrip=true --prefix=/usr \
 && make web docs-ui \
 && DESTDIR=/install meson install -C build

FROM debian:bookworm-slim
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    ca-certificates libcurl4 libfyaml0 libjansson4 libpq5 libsodium23 libssl3 \
    libuv1 libyaml-0-2 postgresql-client zlib1g \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 64111 sextant \
 && useradd --uid 64111 --gid sextant --no-create-home \
    --home-dir /var/lib/sextant --shell /usr/sbin/nologin sextant \
 && install -d -o sextant -g sextant -m 700 /var/lib/sextant
COPY --from=build /install/ /

USER 64111:64111
WORKDIR /var/lib/sextant
ENV SEXTANT_HOME=/var/lib/sextant HOST=0.0.0.0 PORT=8080
VOLUME /var/lib/sextant
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s --retries=3 \
  CMD ["sextant", "health"]
ENTRYPOINT ["sextant"]
CMD ["serve"]
