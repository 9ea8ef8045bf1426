"""A chat completions endpoint on loopback that streams answers made by a function of the prompt."""
import http.server
import json
import threading


class ChatServer:
    def __init__(self, answer, status=200):
        self.requests = []  # (headers, body)
        self.status = status  # of every answer; any other than 200 comes with an error for a body
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.requests.append((dict(self.headers), body))
                if outer.status != 200:
                    error = json.dumps({"error": {"message": "as told", "code": outer.status}}).encode()
                    self.send_response(outer.status)
                    self.send_header("content-type", "application/json")
                    self.send_header("content-length", str(len(error)))
                    self.end_headers()
                    self.wfile.write(error)
                    return
                text = answer("\n".join(message["content"] for message in body["messages"]))
                events = [{"model": "served-1", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]},
                          {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
                          {"choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200}}]
                stream = "".join("data: " + json.dumps(event) + "\n\n" for event in events) + "data: [DONE]\n\n"
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("content-length", str(len(stream.encode())))
                self.end_headers()
                self.wfile.write(stream.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


PLAN = json.dumps([
    {"name": "threads", "mechanism": "parallelism", "what": "share the loop among threads", "expected_gain": 2},
    {"name": "blocks", "mechanism": "tiling", "what": "go through it in blocks", "expected_gain": 1.2}])


def scale_answer(prompt):
    """Answers about the small campaign's kernels: right, and simple."""
    if "## Your task: write one version" not in prompt and "could not be used" not in prompt:
        return "```json\n" + PLAN + "\n```\n"
    threads = "#pragma omp parallel for\n" if "Name: threads" in prompt else ""
    if "entry `rowsum`" in prompt:
        return ("summary: rows one after the other.\n\n```cpp\n// noctune: rowsum\nextern \"C\" void rowsum(int m, int n, const double* a, "
                "double* s) {\n" + threads + "  for (int i = 0; i < m; ++i) {\n    double sum = 0;\n"
                "    for (int j = 0; j < n; ++j) sum += a[(long)i * n + j];\n    s[i] = sum;\n  }\n}\n```\n")
    return ("summary: plain.\n\n```cpp\n// noctune: scale\nextern \"C\" void scale(int n, double factor, const double* x, double* y) {\n"
            + threads + "  for (int i = 0; i < n; ++i) y[i] += factor * x[i];\n}\n```\n")
