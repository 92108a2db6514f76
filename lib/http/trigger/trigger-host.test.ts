import { describe, expect, it } from "vitest";
import { misdirected } from "./trigger-host.ts";

const hosts = {
  publicUrl: "https://flows.example.com",
  triggerOrigin: "https://hooks.example.com",
  trustedProxies: 0,
};
const hook = "/api/v1/webhooks/hook_2vq6n0xk8m4c7r1t9w3y5z8b6d";
const wait = "/v1/resume/exec_01kad7c9p2f6atqxv3m0wz8y5n.dw.sR1p";

function answerOf(headers: Record<string, string>, target: string, overrides: Partial<typeof hosts> = {}) {
  return misdirected(received(headers), target, undefined, { ...hosts, ...overrides })?.status ?? 200;
}

function received(headers: Record<string, string>, method = "POST") {
  return { method, header: (name: string) => headers[name] };
}

describe("with TRIGGER_ORIGIN", () => {
  const there = { host: "hooks.example.com" };
  const atApp = { host: "flows.example.com" };

  it.each([
    hook,
    `${hook}/`,
    `${hook}?a=/pages`,
    hook.replace("/api", ""),
    wait,
    `/api${wait}`,
    hook.replace("hook_", "%68ook%5F"),
    wait.replace("v1", "V1"),
    `https://any.example.com${hook}`,
  ])("its host answers %s, and the app's leads there", (target) => {
    expect(answerOf(there, target)).toBe(200);
    const led = misdirected(received(atApp), target, undefined, hosts);
    expect(led?.status).toBe(308);
    expect(led?.headers.location).toBe(`https://hooks.example.com${target.replace("https://any.example.com", "")}`);
    expect(led?.body.error.message).toContain("https://hooks.example.com");
  });

  it.each([
    "/",
    "",
    "*",
    "/flows",
    "/sign-in",
    "/api/auth/session",
    "/api/inngest",
    "/api/metrics",
    "/api/v1/flows",
    "/api/v1/webhooks",
    "/api/v1/webhooks/whsub_01kad7c9p2f6atqxv3m0wz8y5n",
    `${hook}/deliveries`,
    `${hook}/..%2f..`,
    `/flows?next=${hook}`,
    `/flows#${hook}`,
    `/x${hook}`,
    `/${hook}`,
    "/_next/static/chunks/main.js",
    "/favicon.ico",
    "/%zz",
    `${hook}/%zz`,
  ])("its host has nothing at %s, which is the app's", (target) => {
    expect([answerOf(there, target), answerOf(atApp, target)]).toEqual([404, 200]);
  });

  it.each(["/api/health", "/form-font"])("both answer %s", (path) => {
    expect([answerOf(there, path), answerOf(atApp, `${path}?x`)]).toEqual([200, 200]);
  });

  it.each([
    "HOOKS.example.com",
    "hooks.example.com:443",
    "hooks.example.com.",
    "hooks.example.com.:443",
    "hooks.example.com:8443",
    "hooks.example.com:80",
    " hooks.example.com ",
  ])("%s names its host", (host) => expect(answerOf({ host }, "/flows")).toBe(404));

  it.each([
    "flows.example.com:8443",
    "hooks.example.com:0x50",
    "hooks.example.com.evil.example",
    "evil@hooks.example.com",
    "hooks.example.com/",
    "hooks.example.com?",
    "",
    "\u0000",
    "[",
    "localhost:3000",
    "10.0.0.7",
  ])("%j does not: no flow answers there", (host) => {
    expect([answerOf({ host }, hook), answerOf({ host }, "/flows")]).toEqual([308, 200]);
  });

  it("the origin's port is ignored: a proxy may leave it out, or listen on another", () => {
    const overrides = { triggerOrigin: "https://hooks.example.com:8443" };
    for (const host of ["hooks.example.com", "hooks.example.com:8443", "hooks.example.com:3000"]) {
      expect([answerOf({ host }, hook, overrides), answerOf({ host }, "/sign-in", overrides)]).toEqual([200, 404]);
    }
    expect(answerOf({ host: "flows.example.com:8443" }, hook, overrides)).toBe(308);
  });

  it("a preflight for a trigger URL is answered at every host, because browsers do not follow its redirects", () => {
    const misdirectedBy = (host: string, target: string) =>
      misdirected(received({ host }, "OPTIONS"), target, undefined, hosts)?.status ?? 200;
    expect(["flows.example.com", "hooks.example.com"].map((host) => misdirectedBy(host, hook))).toEqual([200, 200]);
    expect(misdirectedBy("hooks.example.com", "/api/v1/flows")).toBe(404);
  });

  it("a request without a host is for the app", () => {
    expect([answerOf({}, hook), answerOf({}, "/flows")]).toEqual([308, 200]);
  });

  describe("X-Forwarded-Host", () => {
    const behind = (host: string, forwarded: string) => ({ host, "x-forwarded-host": forwarded });
    it("is ignored without trusted proxies", () => {
      expect(answerOf(behind("millrace:3000", "hooks.example.com"), hook)).toBe(308);
    });

    it("is used if a trusted proxy has replaced Host", () => {
      const proxied = { trustedProxies: 1 };
      expect(answerOf(behind("millrace:3000", "hooks.example.com"), hook, proxied)).toBe(200);
      expect(answerOf(behind("millrace:3000", "hooks.example.com"), "/flows", proxied)).toBe(404);
      expect(answerOf(behind("millrace:3000", "flows.example.com"), hook, proxied)).toBe(308);
    });

    it("uses only the entries of proxies: a client's come before those", () => {
      const list = "hooks.example.com, flows.example.com";
      expect(answerOf(behind("millrace:3000", list), hook, { trustedProxies: 1 })).toBe(308);
      expect(answerOf(behind("millrace:3000", list), hook, { trustedProxies: 2 })).toBe(200);
      expect(answerOf(behind("millrace:3000", "hooks.example.com"), hook, { trustedProxies: 2 })).toBe(200);
    });

    it("never overrides a known Host: a proxy may pass on a client's header", () => {
      const proxied = { trustedProxies: 1 };
      expect(answerOf(behind("flows.example.com", "hooks.example.com"), hook, proxied)).toBe(308);
      expect(answerOf(behind("hooks.example.com", "flows.example.com"), "/flows", proxied)).toBe(404);
    });
  });

  it("a route file's own purpose decides, not the path", () => {
    const misdirectedBy = (host: string, kind: "trigger" | "app") =>
      misdirected(received({ host }), "/any", kind, hosts)?.status;
    expect([misdirectedBy("hooks.example.com", "app"), misdirectedBy("flows.example.com", "trigger")]).toEqual([
      404, 308,
    ]);
    expect([misdirectedBy("hooks.example.com", "trigger"), misdirectedBy("flows.example.com", "app")]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

it("without TRIGGER_ORIGIN every host answers everything", () => {
  const oneHost = { ...hosts, triggerOrigin: undefined };
  for (const target of [hook, wait, "/flows", "/api/auth/session"]) {
    expect(misdirected(received({ host: "hooks.example.com" }), target, undefined, oneHost)).toBeNull();
  }
});
