# A small image of the service. It runs as a user without rights, and with a read-only root; the store is in /data.
#
#   docker build --tag whywire .
#   docker run --name whywire --read-only --tmpfs /tmp --volume news:/data --publish 127.0.0.1:8765:8765 whywire
#
# docs/operating.md says how to operate it; compose.yaml adds PostgreSQL.

FROM python:3.13-slim-trixie AS build
RUN python -m venv --without-pip /opt/whywire
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY examples/news.jsonl examples/
COPY src src
# hadolint ignore=DL3013
RUN --mount=type=cache,target=/root/.cache/pip \
    pip --python /opt/whywire/bin/python install --disable-pip-version-check ".[service,feeds,postgres]"

FROM python:3.13-slim-trixie
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin whywire \
    && install --directory --owner=10001 --group=10001 /data
COPY --from=build /opt/whywire /opt/whywire
ENV PATH=/opt/whywire/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    WHYWIRE_STORE=/data/whywire.db
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD \
    ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/healthz', timeout=4)"]
ENTRYPOINT ["whywire"]
CMD ["serve", "--host", "0.0.0.0"]
