import { describe, expect, test } from "vitest";
import { pagination, type Response, requestPages } from "./pagination.ts";

const first = new URL("https://api.test/list?a=1");
/** Reads `$response.body.x` as a path: enough for these tests. */
const evaluateOver = async (source: string, values: Readonly<Record<string, unknown>>) =>
  source
    .split(".")
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values.$response);

async function pagesOf(options: object, answer: (url: URL) => unknown) {
  const urls: string[] = [];
  const fields: unknown[] = [];
  const request = async (url: URL, field?: readonly unknown[]): Promise<Response> => {
    urls.push(url.href.slice("https://api.test".length));
    fields.push(field);
    return { status: 200, headers: {}, body: answer(url) };
  };
  const made = await requestPages(first, pagination.parse(options), request, { evaluateOver });
  return { ...made, urls, fields };
}

describe("pages", () => {
  test("are followed by the next URL until there is none", async () => {
    const answer = ({ pathname }: URL) =>
      pathname === "/list" ? { data: [1, 2], next: "/more" } : { data: [3], next: null };
    const options = { next: "$response.body.next", items: "$response.body.data" };
    expect(await pagesOf(options, answer)).toMatchObject({
      body: [1, 2, 3],
      pages: 2,
      isComplete: true,
      urls: ["/list?a=1", "/more"],
    });
  });

  test("are followed by a cursor until it repeats or is missing", async () => {
    const options = { cursor: "$response.body.at", items: "$response.body.data", parameter: "after" };
    const answer = ({ searchParams }: URL) => ({ data: ["x"], at: searchParams.get("after") === "2" ? "2" : "2" });
    expect(await pagesOf(options, answer)).toMatchObject({
      urls: ["/list?a=1", "/list?a=1&after=2"],
      isComplete: true,
    });
  });

  test("are requested by number or offset until one is empty", async () => {
    const answer = ({ searchParams }: URL) =>
      Number(searchParams.get("page") ?? searchParams.get("offset")) < 3 ? [0] : [];
    expect((await pagesOf({ page: 1 }, answer)).urls).toEqual([
      "/list?a=1&page=1",
      "/list?a=1&page=2",
      "/list?a=1&page=3",
    ]);
    expect((await pagesOf({ offset: 2 }, answer)).urls).toEqual([
      "/list?a=1&offset=0",
      "/list?a=1&offset=2",
      "/list?a=1&offset=4",
    ]);
  });

  test("put their parameter into the body if configured", async () => {
    const options = { cursor: "$response.body.at", items: "$response.body.data", parameter: "after", in: "body" };
    const answers = [{ data: ["x"], at: "2" }, { data: ["y"] }];
    const byCursor = await pagesOf(options, () => answers.shift());
    expect(byCursor).toMatchObject({ body: ["x", "y"], urls: ["/list?a=1", "/list?a=1"], isComplete: true });
    expect(byCursor.fields).toEqual([undefined, ["after", "2"]]);
    const lists = [[1], []];
    expect((await pagesOf({ page: 0, in: "body" }, () => lists.shift())).fields).toEqual([
      ["page", 0],
      ["page", 1],
    ]);
    expect(pagination.safeParse({ next: "$response.body.next", in: "body" }).success).toBe(false);
  });

  test("end at the maximum pages and items, which is reported", async () => {
    expect(await pagesOf({ page: 1, pagesMax: 2 }, () => [1])).toMatchObject({ body: [1, 1], isComplete: false });
    expect(await pagesOf({ page: 1, itemsMax: 3 }, () => [1, 2])).toMatchObject({ body: [1, 2, 1], pages: 2 });
  });

  test("fail if there is no list, if they are too large, and if they lead to another origin", async () => {
    await expect(pagesOf({ page: 1 }, () => ({}))).rejects.toMatchObject({ code: "NO_ITEMS" });
    const large = ["x".repeat(6_000_000)];
    await expect(pagesOf({ page: 1 }, () => large)).rejects.toMatchObject({ code: "OUTPUT_TOO_LARGE" });
    const options = { next: "$response.body.next", items: "$response.body.data" };
    for (const next of ["https://evil.test/", "http://api.test/", "//evil.test"]) {
      await expect(pagesOf(options, () => ({ data: [], next }))).rejects.toMatchObject({ code: "BAD_NEXT" });
    }
  });

  test("use exactly one method", () => {
    expect(pagination.safeParse({}).success).toBe(false);
    expect(pagination.safeParse({ page: 1, offset: 2 }).success).toBe(false);
    expect(pagination.safeParse({ page: 1, pagesMax: 101 }).success).toBe(false);
  });
});
