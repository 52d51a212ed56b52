# One image for web, worker, beat and migrate; the command says which (see compose.yaml). tests/test_image.py carries
# these very steps out in a folder.

FROM python:3.12-slim AS build
# Nothing is installed where it runs: pip stays outside.
RUN python -m venv --without-pip /venv
WORKDIR /app
COPY requirements.lock pyproject.toml ./
# The project asks for what it needs and the lock file says in which version, so nothing of the tests comes along. The
# code comes after it: a change in it does not install everything again.
RUN python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' \
  | python -m pip --python /venv/bin/python install --no-cache-dir --constraint requirements.lock --requirement /dev/stdin setuptools
COPY . ./
RUN python -m pip --python /venv/bin/python install --no-cache-dir --no-deps --no-build-isolation --editable .
# English stands in the sources themselves; other languages are compiled from what translators wrote.
RUN ! ls templates/languages/*/LC_MESSAGES/*.po || /venv/bin/pybabel compile --directory templates/languages
# Nothing can be written where it runs, so that every process would compile the code anew when it starts.
RUN /venv/bin/python -m compileall -q --invalidation-mode unchecked-hash engine service workers migrations

FROM python:3.12-slim
# What the pictures of the board in letters are written with, names in Japanese and Chinese characters too.
RUN apt-get update --quiet \
 && apt-get install --quiet --yes --no-install-recommends fonts-dejavu-core fonts-noto-cjk \
 && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --no-create-home hikyaku \
 && install --directory --owner=hikyaku /var/lib/hikyaku
COPY --from=build /venv /venv
COPY --from=build /app /app
WORKDIR /app
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
CMD ["hikyaku", "web"]
