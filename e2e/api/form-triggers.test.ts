// Forms that start flows: what people see at the URL, and what programs get there.
import { describe, expect, it } from "vitest";
import { get, patch, post, send } from "#e2e/support/api-client.ts";
import { createFlow, node, type TestExecution, transform } from "#e2e/support/flows.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";

inOwnWorkspace("Forms");

const fields = [
  { name: "email", label: "Your <e-mail>", type: "email", required: true },
  { name: "count", type: "number" },
  { name: "size", type: "select", options: ["S", "M & L"] },
  { name: "news", type: "checkbox" },
  { name: "note", type: "textarea", value: "none" },
];
const config = { title: "Order", description: 'For "friends"', submitLabel: "Send order", fields };
const echo = [transform("echo", "$trigger.body")];

const formFlow = (nodes: object[] = echo, overrides: object = {}, status = "active") =>
  createFlow({ name: "Orders", status, trigger: { type: "form", config: { ...config, ...overrides } }, nodes });
const getPage = (url: string, query = "", headers: Record<string, string> = {}) =>
  send("GET", query, undefined, { base: url, key: null, headers: { accept: "text/html", ...headers } });
const html = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
const submit = (url: string, answers: Record<string, string>, headers: Record<string, string> = {}) =>
  send("POST", "", new URLSearchParams(answers), { base: url, key: null, headers: { ...html, ...headers } });
const runsOf = async (flowId: string) => (await get<TestExecution[]>(`/executions?flowId=${flowId}`)).pagination.total;
const lastRun = async (flowId: string) => {
  const { data } = await get<{ id: string }[]>(`/executions?flowId=${flowId}&limit=1`);
  return (await get<TestExecution>(`/executions/${data[0]?.id}`)).data;
};

describe("a form", () => {
  // Proves triggers.form
  it("is a page at the flow's URL, which loads only its font and runs nothing", async () => {
    const flow = await formFlow();
    const page = await getPage(flow.trigger.config.url);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.headers.get("content-security-policy")).toContain("font-src 'self';");
    const font = await fetch(new URL(/url\(([^)]+)\)/.exec(page.text)?.[1] ?? "", flow.trigger.config.url));
    expect([font.status, font.headers.get("content-type")]).toEqual([200, "font/woff2"]);
    expect(page.text).toContain("<h1>Order</h1><p>For &#34;friends&#34;</p>");
    expect(page.text).toMatch(/<input type="email" name="email" id="email" required value="">/);
    expect(page.text).toContain("Your &#60;e-mail&#62;");
    expect(page.text).toContain("<option>M &#38; L</option>");
    expect(page.text).toMatch(/<button type="submit">Send order<\/button>/);
    expect(page.text).not.toMatch(/<script|javascript:| on\w+=/);
    expect(await runsOf(flow.id)).toBe(0);
  });

  it("is filled in by the URL's query, as text and nothing else", async () => {
    const { trigger } = await formFlow();
    const page = await getPage(trigger.config.url, '?email="><script>alert(1)</script>&size=S&unknown=1&__proto__=x');
    expect(page.text).toContain('value="&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;"');
    expect(page.text).toContain("<option selected>S</option>");
    expect(page.text).not.toContain("unknown");
  });

  // Proves triggers.form
  it("starts a run with the answers by field, of the fields' types", async () => {
    const flow = await formFlow();
    const sent = await submit(flow.trigger.config.url, {
      email: "ann@example.com",
      count: "2.5",
      news: "on",
      more: "x",
    });
    expect([sent.status, sent.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(sent.text).toContain("<h1>Thank you</h1>");
    // What the flow came to is for those who look at the run.
    expect(sent.text).not.toContain("ann@example.com");
    const run = await lastRun(flow.id);
    expect(run.output).toEqual({ email: "ann@example.com", count: 2.5, size: null, news: true, note: null });
    expect([run.trigger.type, run.metadata.source]).toEqual(["form", "form"]);
    expect((await get(`/executions?flowId=${flow.id}&source=form`)).pagination.total).toBe(1);
  });

  // Proves triggers.form-invalid
  it("starts nothing with answers that do not match, and shows what is wrong", async () => {
    const flow = await formFlow();
    const wrong = await submit(flow.trigger.config.url, { count: "many", size: "XL", note: "<b>" });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toMatch(/id="wrong-email" role="alert">is required</);
    expect(wrong.text).toMatch(/id="wrong-count" role="alert">must be a number</);
    expect(wrong.text).toMatch(/id="wrong-size" role="alert">must be one of S, M &#38; L</);
    expect(wrong.text).toContain("&#60;b&#62;</textarea>");
    expect(await runsOf(flow.id)).toBe(0);
  });

  it("answers programs in JSON, as a webhook does", async () => {
    const { trigger } = await formFlow();
    const call = (body: unknown) => post("", body, { base: trigger.config.url, key: null });
    expect((await call({ email: "ann@example.com", news: true })).text).toBe(
      '{"email":"ann@example.com","count":null,"size":null,"news":true,"note":null}',
    );
    const refused = await call({ email: 5, count: [] });
    expect([refused.status, refused.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(refused.error?.details).toEqual({ email: "must be text", count: "must be a number" });
    expect((await call([])).error?.details).toEqual({ email: "is required" });
  });

  it("takes text that no database column holds", async () => {
    const flow = await formFlow();
    const call = await post("", { email: "a@b", note: "\u0000 \ud800" }, { base: flow.trigger.config.url, key: null });
    expect([call.status, (call.body as { note: string }).note]).toEqual([200, "\u0000 \ud800"]);
  });

  it("takes GET, POST, HEAD and OPTIONS", async () => {
    const { trigger } = await formFlow();
    const request = (method: string) => send(method, "", undefined, { base: trigger.config.url, key: null });
    const [head, page] = [await request("HEAD"), await request("GET")];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["content-type", "content-length"]) expect(head.headers.get(name)).toBe(page.headers.get(name));
    const refused = await request("PUT");
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
    expect((await request("OPTIONS")).headers.get("access-control-allow-methods")).toBe("GET, POST");
  });
});

describe("after the run", () => {
  // Proves triggers.form-answer
  it("a text of a respond node is shown, escaped", async () => {
    const { trigger } = await formFlow([
      node("say", "respond", { body: "Order <1> is in, {{ $trigger.body.email }}" }),
    ]);
    const sent = await submit(trigger.config.url, { email: "ann@example.com" });
    expect(sent.text).toContain("<p>Order &#60;1&#62; is in, ann@example.com</p>");
  });

  // Proves triggers.form-answer
  it("a redirect leads on, to the web and nowhere else", async () => {
    const to = (location: string) =>
      formFlow([node("go", "respond", { status: 303, headers: { location }, body: "See there" })]);
    const led = await submit((await to("https://example.com/?a=1&b=2")).trigger.config.url, { email: "a@b" });
    expect(led.text).toContain('content="0;url=https://example.com/?a=1&#38;b=2"');
    const not = await submit((await to("javascript:alert(1)")).trigger.config.url, { email: "a@b" });
    expect(not.text).not.toContain("javascript:");
  });

  it("a failed run is reported with its id, and without its error", async () => {
    const flow = await formFlow([node("end", "stop", { status: "failed", message: "the secret database is down" })]);
    const sent = await submit(flow.trigger.config.url, { email: "a@b" });
    expect([sent.status, sent.headers.get("x-execution-id")]).toEqual([500, (await lastRun(flow.id)).id]);
    expect(sent.text).toContain((await lastRun(flow.id)).id);
    expect(sent.text).not.toContain("secret database");
  });

  it("a form that answers at once thanks before the run has ended", async () => {
    const { trigger } = await formFlow([node("later", "delay", { ms: 3_600_000 })], { respond: "immediately" });
    expect((await submit(trigger.config.url, { email: "a@b" })).text).toContain("Thank you");
  });
});

describe("a form that may not be answered", () => {
  it("says that it is closed while its flow is inactive", async () => {
    const flow = await formFlow();
    await patch(`/flows/${flow.id}`, { status: "inactive" });
    const page = await getPage(flow.trigger.config.url);
    expect([page.status, page.text.includes("This form is closed")]).toEqual([400, true]);
    expect((await submit(flow.trigger.config.url, { email: "a@b" })).status).toBe(400);
  });

  it("is not there until its settings are right, which activating requires", async () => {
    const wrong = { fields: [{ name: "a b" }, { name: "c", type: "select" }], title: 5 };
    const flow = await formFlow(echo, wrong, "draft");
    expect((await getPage(flow.trigger.config.url)).status).toBe(400);
    const refused = await patch(`/flows/${flow.id}`, { status: "active" });
    expect(Object.keys(refused.error?.details ?? {})).toEqual([
      "trigger.config.title",
      "trigger.config.fields[0].name",
      "trigger.config.fields[1].options",
    ]);
  });

  it("asks for a name and a password with basic authentication, and takes no answers from other sites", async () => {
    const data = { username: "ann", password: "pass-word" };
    await post("/credentials", { name: "visitors", type: "basic", data });
    const flow = await formFlow(echo, { authentication: "basic", credential: "visitors" });
    const { url } = flow.trigger.config;
    const refused = await getPage(url);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Basic /)]);
    const authorization = `Basic ${Buffer.from("ann:pass-word").toString("base64")}`;
    expect((await getPage(url, "", { authorization })).text).toContain("<h1>Order</h1>");
    const foreign = { authorization, "sec-fetch-site": "cross-site" };
    expect((await submit(url, { email: "a@b" }, foreign)).status).toBe(403);
    expect((await submit(url, { email: "a@b" }, { authorization })).status).toBe(200);
  });
});
