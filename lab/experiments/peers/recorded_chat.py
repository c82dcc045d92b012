"""A chat server between a program and a model: it answers a repeated question from a file, and counts.

python -m lab.experiments.peers.recorded_chat --to http://127.0.0.1:8765 --process PID --kept FILE [--port 8790]

A program is given ``http://127.0.0.1:8790/LABEL/v1`` as address; the file has a row for each question of a label,
with its tokens and the seconds of the processor that process PID took for it. So a run that was stopped goes on where
it was, and what it cost in all is known. Embeddings are those of the pair model. Two things are changed on the way:
an answer ends at ``LONGEST`` tokens, for small models repeat themselves to the end of their context, and a schema is
named as llama.cpp wants it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from whywire.pairs.model import PairModel
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.processor_time import process_seconds

LONGEST = 2048
"""The most tokens of an answer."""


class RecordedChat:
    """What was asked so far, and the server that answers what is new."""

    def __init__(self, server: str, process: int, kept: Path) -> None:
        self._server, self._process, self._path = server, process, kept
        self._rows = list(json_lines(kept)) if kept.exists() else []
        self._one_at_a_time = threading.Lock()
        self._model = PairModel.from_pretrained()

    def complete(self, label: str, question: dict[str, Any]) -> object:
        """The answer to a question, asked again only if it is new."""
        request = asked(question)
        key = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
        with self._one_at_a_time:
            row = next((row for row in self._rows if row["key"] == key), None)
            if row is None:
                before = process_seconds(self._process)
                answer = self._ask(request)
                usage = answer["usage"]
                row = {
                    "key": key,
                    "read": usage["prompt_tokens"],
                    "written": usage["completion_tokens"],
                    "seconds": process_seconds(self._process) - before,
                    "answer": answer,
                }
            if not any(known["key"] == key and known["label"] == label for known in self._rows):
                self._rows.append(row | {"label": label})
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(self._rows[-1], ensure_ascii=False) + "\n")
        return row["answer"]

    def embed(self, question: Mapping[str, Any]) -> object:
        """The vectors of texts, in the form of the embeddings route."""
        given = question["input"]
        texts = [given] if isinstance(given, str) else given
        vectors = self._model.embed(texts).tolist()
        data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        return {"object": "list", "data": data, "model": "pairs", "usage": {"prompt_tokens": 0, "total_tokens": 0}}

    def _ask(self, request: object) -> Any:
        address = f"{self._server}/v1/chat/completions"
        sent = urllib.request.Request(address, json.dumps(request).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(sent, timeout=1800) as answer:
            return json.load(answer)


def asked(question: Mapping[str, Any]) -> dict[str, Any]:
    """The question as the server takes it: with an end, without a stream, the schema where it looks for one."""
    request = {name: value for name, value in question.items() if value is not None}
    longest = min(LONGEST, request.pop("max_completion_tokens", None) or request.get("max_tokens") or LONGEST)
    request |= {"max_tokens": longest, "stream": False}
    form = request.get("response_format") or {}
    if form.get("type") == "json_schema":
        request["response_format"] = {"type": "json_object", "schema": form["json_schema"]["schema"]}
    return request


def handler(chat: RecordedChat) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers ``/LABEL/v1/chat/completions`` and ``/LABEL/v1/embeddings``."""

        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            label = self.path.strip("/").partition("/v1/")[0]
            try:
                embeds = self.path.endswith("/embeddings")
                answer, status = chat.embed(question) if embeds else chat.complete(label, question), 200
            except urllib.error.HTTPError as error:
                answer, status = {"error": {"message": error.read().decode()[:1000]}}, error.code
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing; the file tells what was asked."""

    return Handler


def main() -> None:
    """Serve until stopped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", required=True, help="address of the server of the model, up to /v1")
    parser.add_argument("--process", type=int, required=True, help="its process")
    parser.add_argument("--kept", type=Path, required=True, help="the file of questions and answers")
    parser.add_argument("--port", type=int, default=8790)
    arguments = parser.parse_args()
    chat = RecordedChat(arguments.to, arguments.process, arguments.kept)
    ThreadingHTTPServer(("127.0.0.1", arguments.port), handler(chat)).serve_forever()


if __name__ == "__main__":
    main()
