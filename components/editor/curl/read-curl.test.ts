import { describe, expect, test } from "vitest";
import { readCurl } from "./read-curl.ts";

const configOf = (text: string) => readCurl(text)?.config;
const followRedirects = false;

describe("a curl command", () => {
  // Proves services.curl
  test.each([
    ["curl https://a.test/x", { method: "GET", url: "https://a.test/x", followRedirects }],
    ["$ curl -sSL a.test", { method: "GET", url: "https://a.test" }],
    [
      `curl -X POST 'https://a.test/orders?x=1' \\\n  -H 'Content-Type: application/json' \\\r\n  -H "X-Key: a\\"b" -L \\\n  -d '{"a": [1, "it'\\''s"]}'`,
      {
        method: "POST",
        url: "https://a.test/orders?x=1",
        headers: { "Content-Type": "application/json", "X-Key": 'a"b' },
        bodyType: "json",
        body: { a: [1, "it's"] },
      },
    ],
    [
      "curl -L a.test -d a=1 -d 'b=x%20y'",
      { method: "POST", url: "https://a.test", bodyType: "form", body: { a: "1", b: "x y" } },
    ],
    ["curl -L a.test --json '{\"a\":1}'", { method: "POST", url: "https://a.test", bodyType: "json", body: { a: 1 } }],
    ["curl -LG a.test -d a=1 --data-urlencode 'b=x y'", { method: "GET", url: "https://a.test?a=1&b=x%20y" }],
    [
      "curl -L -XPUT a.test -H 'Content-Type: text/csv' --data-raw '@a,b'",
      { method: "PUT", url: "https://a.test", headers: { "Content-Type": "text/csv" }, bodyType: "text", body: "@a,b" },
    ],
    [
      "curl -L a.test -F a=1 -F 'b=two words'",
      { method: "POST", url: "https://a.test", bodyType: "multipart", body: { a: "1", b: "two words" } },
    ],
    [
      "curl -L a.test -F tag=a -F tag=b -F n=1",
      { method: "POST", url: "https://a.test", bodyType: "multipart", body: { tag: ["a", "b"], n: "1" } },
    ],
    [
      "curl -L a.test -d tag=a -d tag=b",
      { method: "POST", url: "https://a.test", bodyType: "form", body: { tag: ["a", "b"] } },
    ],
    ["curl -L --oauth2-bearer abc a.test", { method: "GET", url: "https://a.test" }],
    ["curl -LI a.test -m 2.5", { method: "HEAD", url: "https://a.test", timeout: 2_500 }],
    [
      "curl -L a.test --data-raw $'{\"t\":\"a\\nb\\u00e9\"}' -H 'content-type: application/json'",
      {
        method: "POST",
        url: "https://a.test",
        headers: { "content-type": "application/json" },
        bodyType: "json",
        body: '{"t":"a\nbé"}',
      },
    ],
    [
      "curl -L a.test -b 'a=1; b=2' -A me",
      { method: "GET", url: "https://a.test", headers: { Cookie: "a=1; b=2", "User-Agent": "me" } },
    ],
    ["curl -L 'https://a.test/$HOME/`id`' ; rm -rf /", { method: "GET", url: "https://a.test/$HOME/`id`" }],
  ])("%s", (text, config) => expect(configOf(text)).toEqual(config));

  test("reports what is left out", () => {
    expect(readCurl("curl -k -u me:pass -o out.txt -d @body.json -X PROPFIND a.test")?.left).toEqual([
      "an unchecked certificate (-k)",
      "the user name and password (-u): choose a credential",
      "-o",
      "the file body.json",
      "the method PROPFIND",
    ]);
  });

  test("says that a GET request sends no body", () => {
    expect(readCurl("curl -L -XGET a.test -d '{}'")?.left).toEqual(["the body: a GET request sends none"]);
    expect(readCurl("curl -L -XGET a.test -d '{}'")?.config).not.toHaveProperty("body");
  });

  test.each([
    "curl",
    "curl -H 'open",
    "wget a.test",
    "say curl a.test",
    "curl -X POST",
    `curl a.test ${" ".repeat(300_000)}`,
  ])("%j is none", (text) => expect(readCurl(text)).toBeNull());

  test("a name that means something to objects stays a header", () => {
    const { headers } = readCurl("curl a.test -H '__proto__: x'")?.config ?? {};
    expect(Object.keys(headers as object)).toEqual(["__proto__"]);
  });
});

test("a long command is read as fast as a short one", () => {
  expect(readCurl(`curl -${"s".repeat(200_000)} https://example.com`)?.config.url).toBe("https://example.com");
  expect(readCurl(`curl https://example.com ${"a ".repeat(100_000)}`)?.config.url).toBe("https://example.com");
});
