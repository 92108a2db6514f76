import { expect, test } from "vitest";
import { browserInWords } from "./session-list.tsx";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18 Safari/605.1.15",
    "Safari on macOS",
  ],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari on iOS"],
  ["curl/8.1", "curl"],
  ["\u202e<script>", "Unknown browser"],
  [null, "Unknown browser"],
])("%j is %s", (userAgent, name) => {
  expect(browserInWords(userAgent)).toBe(name);
});
