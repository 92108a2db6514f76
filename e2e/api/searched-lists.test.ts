// Searches of the lists that are otherwise plain: credentials, tables and webhook subscriptions.
import { describe, expect, test } from "vitest";
import { get, post } from "../support/api-client.ts";
import { inOwnWorkspace } from "../support/own-workspace.ts";
import { expectRefusal } from "../support/refusals.ts";

inOwnWorkspace("Searched lists");

const lists = [
  {
    path: "/credentials",
    text: "name",
    make: (name: string) => post("/credentials", { name, type: "secret", data: { value: "s3cret-value" } }),
    texts: ["stripe_live", "stripeXtest", "other"],
  },
  {
    path: "/tables",
    text: "name",
    make: (name: string) => post("/tables", { name, columns: [{ name: "a", type: "text" }] }),
    texts: ["stripe_live", "stripeXtest", "other"],
  },
  {
    path: "/webhooks",
    text: "url",
    make: (url: string) => post("/webhooks", { url, events: ["execution.failed"] }),
    texts: ["https://example.com/stripe_live", "https://example.com/stripeXtest", "https://example.com/other"],
  },
];

describe.each(lists)("GET $path?search=", ({ path, text, make, texts }) => {
  test("finds a part of the name or URL in any case, page by page, and takes % and _ as they are", async () => {
    for (const one of texts) expect((await make(one)).status).toBe(201);
    const found = async (query: string) => {
      const { data, pagination } = await get<Record<string, string>[]>(`${path}?${query}`);
      return [data.map((item) => item[text]), pagination.total];
    };
    const [live, trial] = texts;
    expect(await found("search=STRIPE")).toEqual([[trial, live], 2]);
    expect(await found("search=STRIPE&limit=1&page=2")).toEqual([[live], 2]);
    expect(await found("search=stripe_")).toEqual([[live], 1]);
    expect(await found("search=%25")).toEqual([[], 0]);
    expect(await found("search=%5C")).toEqual([[], 0]);
    expect((await found("search="))[1]).toBe(3);
    expectRefusal(await get(`${path}?search=%00`), 400, "VALIDATION_ERROR");
  });
});
