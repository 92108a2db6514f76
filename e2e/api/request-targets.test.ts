// Request lines that no browser writes, byte by byte: nobody is redirected to another site by them.
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { baseUrl } from "#e2e/support/address.ts";

const { hostname, port, host, origin } = new URL(baseUrl());

/** The head of the answer. */
async function ask(target: string): Promise<string> {
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    answer += text;
  });
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await once(socket, "close");
  return answer.split("\r\n\r\n")[0] ?? "";
}

test.each([
  ...["//evil.example", "///evil.example", "/\\evil.example", "/.//evil.example", "//evil.example/..//"],
  ...["http://evil.example/flows", "HTTPS://evil.example//x", "http://evil.example:80//evil.example/flows"],
  ...[
    "/%5cevil.example",
    "/%2f/evil.example",
    "/sign-in?next=//evil.example",
    "/api/auth/signin?callbackUrl=//evil.example",
  ],
])("%s leads to no other site", async (target) => {
  const answer = await ask(target);
  expect(answer).toMatch(/^HTTP\/1\.1 (200|30\d|40\d) /);
  const location = /^location: (.*)$/im.exec(answer)?.[1] ?? "/";
  expect(new URL(location, origin).origin).toBe(origin);
});

test("a URL with a host in the request line is answered as its path", async () => {
  expect(await ask("http://evil.example/api/health")).toMatch(/^HTTP\/1\.1 200 /);
});
