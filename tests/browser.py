#!/usr/bin/env python3
"""browser.py - looks at a page in a headless Chromium, through the DevTools protocol over a pipe.

    browser.py CHROMIUM PAGE WIDTHxHEIGHT... [--dark] [--print] [--no-script] [--open] [--shot FILE [--at SELECTOR]] [--text FILE]

Prints a JSON object for each size: widths of the page and of the window, elements that stick out or are too small to read,
messages and requests of the page, the titles of findings that are visible, ops and visible variants of what was tried. --open
unfolds all that is folded. --text writes the visible text of the page to a file. Exit status 99: the browser fails.
"""
import base64
import json
import os
import subprocess
import sys
import tempfile

LOOK = """(() => {
  const wide = [...document.querySelectorAll('body *')].filter(e => {
    if (e.closest('.code, svg')) return false;
    const r = e.getBoundingClientRect();
    return r.width > 0 && (r.right > innerWidth + 1 || r.left < -1);
  });
  const small = [...document.querySelectorAll('body *')].filter(e =>
    e.childNodes.length && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && e.getClientRects().length &&
    !e.closest('svg') && parseFloat(getComputedStyle(e).fontSize) < 11);
  return {
    scroll_width: document.documentElement.scrollWidth,
    inner_width: innerWidth,
    wide: wide.slice(0, 5).map(e => e.tagName + '.' + e.className),
    small: small.slice(0, 5).map(e => e.tagName + '.' + e.className),
    titles: [...document.querySelectorAll('.finding h3')].filter(e => e.offsetHeight > 0).map(e => e.textContent),
    tried: [...document.querySelectorAll('.op:has(> .tried) > summary')].map(e => e.innerText.replace(/\\s+/g, ' ').trim()),
    tried_seen: [...document.querySelectorAll('.tried > summary')].filter(e => e.checkVisibility()).map(e => e.innerText.replace(/\\s+/g, ' ').trim()),
    images: document.images.length,
    svgs: document.querySelectorAll('svg').length,
    parts: [...document.querySelectorAll('h1, h2')].map(e => e.textContent),
    foreign: document.querySelectorAll('[data-foreign]').length,
    scripts: document.scripts.length
  };
})()"""


class Browser:
    def __init__(self, program, profile):
        from_browser, to_us = os.pipe()
        from_us, to_browser = os.pipe()

        def streams():
            os.dup2(from_us, 3, inheritable=True)
            os.dup2(to_us, 4, inheritable=True)

        # Both ends are moved out of the way of 3 and 4 first.
        from_us, to_us = (os.dup(os.dup(os.dup(fd))) for fd in (from_us, to_us))
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--user-data-dir=" + profile,
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=streams, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.input = os.fdopen(from_browser, "rb", 0)
        self.output = to_browser
        self.rest = b""
        self.number = 0
        self.events = []
        self.session = None

    def message(self):
        while b"\0" not in self.rest:
            more = self.input.read(1 << 16)
            if not more:
                raise EOFError("the browser has ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        call = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            call["sessionId"] = self.session
        os.write(self.output, json.dumps(call).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]
            self.events.append(answer)

    def wait(self, event):
        while True:
            for e in self.events:
                if e.get("method") == event:
                    return
            self.events.append(self.message())

    def evaluate(self, text):
        return self.call("Runtime.evaluate", expression=text, returnByValue=True)["result"].get("value")

    def end(self):
        self.process.terminate()
        self.process.wait()


def option(name):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None


def open_page(b, page, width, height):
    b.session = None
    target = b.call("Target.createTarget", url="about:blank")["targetId"]
    b.session = b.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ("Page", "Runtime", "Log", "Network"):
        b.call(domain + ".enable")
    b.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
    scheme = "dark" if "--dark" in sys.argv else "light"
    b.call("Emulation.setEmulatedMedia", media="print" if "--print" in sys.argv else "screen",
           features=[{"name": "prefers-color-scheme", "value": scheme}])
    if "--no-script" in sys.argv:
        b.call("Emulation.setScriptExecutionDisabled", value=True)
    b.events.clear()
    b.call("Page.navigate", url="file://" + os.path.abspath(page))
    b.wait("Page.loadEventFired")


def shot(b, path, selector, width, height):
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    if selector:
        top = b.evaluate("(e => e ? e.getBoundingClientRect().top + scrollY : 0)(document.querySelector(%s))" % json.dumps(selector))
        clip["y"] = max(0, top - 12)
    data = b.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
    with open(path, "wb") as f:
        f.write(base64.b64decode(data))


def texts(events, method, get):
    return [get(e["params"]) for e in events if e.get("method") == method]


def look(b, page, width, height):
    open_page(b, page, width, height)
    if "--open" in sys.argv:
        b.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    seen = b.evaluate(LOOK)
    b.evaluate("1")  # what the page has said by now is read
    seen["requests"] = texts(b.events, "Network.requestWillBeSent", lambda p: p["request"]["url"])
    seen["messages"] = texts(b.events, "Log.entryAdded", lambda p: p["entry"]["text"])
    seen["messages"] += texts(b.events, "Runtime.exceptionThrown", lambda p: p["exceptionDetails"].get("text", "?"))
    seen["messages"] += texts(b.events, "Runtime.consoleAPICalled", lambda p: p["type"])
    if option("--shot"):
        shot(b, option("--shot"), option("--at"), width, height)
    if option("--text"):
        with open(option("--text"), "w") as f:
            f.write(b.evaluate("document.body.innerText"))
    return seen


def main():
    program, page = sys.argv[1], sys.argv[2]
    sizes = [tuple(int(n) for n in word.split("x")) for word in sys.argv[3:] if word[0].isdigit()]
    with tempfile.TemporaryDirectory(prefix="warpfuzz-browser.", ignore_cleanup_errors=True) as profile:
        b = Browser(program, profile)
        try:
            for width, height in sizes:
                print(json.dumps(look(b, page, width, height)), flush=True)
        except (EOFError, RuntimeError, OSError) as e:
            print("browser.py:", e, file=sys.stderr)
            return 99
        finally:
            b.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
