# One image for web, worker, beat and migrate; the command says which (see compose.yaml).

FROM python:3.12-slim AS build
RUN python -m venv /venv
WORKDIR /app
COPY requirements.lock pyproject.toml README.md ./
# The project asks for what it needs and the lock file says in which version, so nothing of the tests comes along.
# The code itself is not needed yet, only a place for it: a change in it does not install everything again.
RUN mkdir engine service workers \
 && /venv/bin/pip install --no-cache-dir --constraint requirements.lock setuptools \
 && /venv/bin/pip install --no-cache-dir --constraint requirements.lock --no-build-isolation --editable .

FROM python:3.12-slim
RUN useradd --system --uid 10001 --no-create-home hikyaku \
 && install --directory --owner hikyaku /var/lib/hikyaku
COPY --from=build /venv /venv
WORKDIR /app
COPY engine engine
COPY service service
COPY workers workers
COPY templates templates
COPY migrations migrations
USER hikyaku
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HIKYAKU_VAR=/var/lib/hikyaku \
    HIKYAKU_LISTEN=0.0.0.0:8000
VOLUME /var/lib/hikyaku
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["hikyaku", "web", "--workers", "2"]
