import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { get, patch } from "#e2e/support/api-client.ts";
import { createFlow, execute, type TestFlow } from "#e2e/support/flows.ts";
import { expectInvalid } from "#e2e/support/refusals.ts";

interface ListItem extends TestFlow {
  readonly lastExecutedAt: string | null;
  readonly executionCount: number;
}

const list = (query: Record<string, string | number> | string) => {
  const text = typeof query === "string" ? query : new URLSearchParams(query as Record<string, string>).toString();
  return get<ListItem[]>(`/flows?${text}`);
};
const names = async (query: Record<string, string | number>) => (await list(query)).data.map((flow) => flow.name);

/** Every page in turn; fails if the pages disagree about the total. */
async function allPages(query: Record<string, string | number>): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await list({ ...query, page });
    ids.push(...data.map((flow) => flow.id));
    if (!pagination.hasNext) return ids;
  }
}

describe("pages", () => {
  const tag = `pages-${randomUUID()}`;
  let made: TestFlow[];
  beforeAll(async () => {
    // All at once, so that some share a millisecond; few names, so that most tie.
    made = await Promise.all(
      Array.from({ length: 25 }, (_, index) => createFlow({ name: `Page ${index % 3}`, tags: [tag] })),
    );
  });

  // Proves conventions.list-envelope, lists.pagination-object, lists.total-25
  it("25 flows at 10 per page are 3 pages", async () => {
    const expected = { limit: 10, total: 25, totalPages: 3 };
    const [first, second, third] = await Promise.all([1, 2, 3].map((page) => list({ tag, limit: 10, page })));
    expect(first?.pagination).toEqual({ ...expected, page: 1, hasNext: true, hasPrev: false });
    expect(second?.pagination).toEqual({ ...expected, page: 2, hasNext: true, hasPrev: true });
    expect(third?.pagination).toEqual({ ...expected, page: 3, hasNext: false, hasPrev: true });
    expect([first, second, third].map((answer) => answer?.data.length)).toEqual([10, 10, 5]);
  });

  // Proves flows.list.sort-by
  it.each(
    ["name", "createdAt", "updatedAt", "lastExecutedAt", "activity", "relevance"].flatMap((sortBy) =>
      ["asc", "desc"].flatMap((order) => [1, 4, 7, 25].map((limit) => [sortBy, order, limit] as const)),
    ),
  )("by %s %s, %i a page: no flow repeats and none is skipped", async (sortBy, order, limit) => {
    const ids = await allPages({ tag, sortBy, order, limit });
    expect(ids).toHaveLength(25);
    expect(new Set(ids)).toEqual(new Set(made.map((flow) => flow.id)));
  });

  // Proves flows.list.order
  it("descending is ascending backwards", async () => {
    const up = await allPages({ tag, sortBy: "name", order: "asc", limit: 9 });
    const down = await allPages({ tag, sortBy: "name", order: "desc", limit: 9 });
    expect(down).toEqual(up.toReversed());
  });

  // Proves flows.list.default, lists.limit-default
  it("the default is 20 per page, newest first", async () => {
    const { data, pagination } = await list({ tag });
    expect(pagination).toMatchObject({ page: 1, limit: 20, total: 25, totalPages: 2 });
    const times = data.map((flow) => flow.createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(data).toHaveLength(20);
  });

  // Proves lists.past-the-end
  it("a page past the end is empty, with the right totals", async () => {
    for (const page of [4, 999_999_999]) {
      const { status, data, pagination } = await list({ tag, limit: 10, page });
      expect(status).toBe(200);
      expect(data).toEqual([]);
      expect(pagination).toEqual({ page, limit: 10, total: 25, totalPages: 3, hasNext: false, hasPrev: true });
    }
  });

  // Proves lists.none
  it("without any flow there are 0 pages", async () => {
    const { data, pagination } = await list({ tag: randomUUID() });
    expect(data).toEqual([]);
    expect(pagination).toEqual({ page: 1, limit: 20, total: 0, totalPages: 0, hasNext: false, hasPrev: false });
  });
});

describe("a list item", () => {
  // Proves flow.variables-not-listed, flows.list.item
  it("has the list's fields and no others", async () => {
    const tag = randomUUID();
    await createFlow({ tags: [tag], variables: { secret: 1 } });
    const [item] = (await list({ tag })).data;
    expect(Object.keys(item ?? {}).sort()).toEqual(
      "id name description status tags trigger nodes createdAt updatedAt lastExecutedAt executionCount"
        .split(" ")
        .sort(),
    );
    expect(item).toMatchObject({ lastExecutedAt: null, executionCount: 0 });
  });

  // Proves flow.last-executed-at, flow.execution-count
  it("counts the flow's runs and says when the last one started", async () => {
    const tag = randomUUID();
    const flow = await createFlow({ tags: [tag] });
    await execute(flow.id);
    const { startedAt } = await execute(flow.id);
    expect((await list({ tag })).data[0]).toMatchObject({ executionCount: 2, lastExecutedAt: startedAt });
  });

  it("by activity, a flow comes first when it was run or changed last", async () => {
    const tag = randomUUID();
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => createFlow({ tags: [tag] })));
    const order = async () => (await list({ tag, sortBy: "activity", order: "desc" })).data.map(({ id }) => id);
    await execute(first?.id ?? "");
    expect((await order())[0]).toBe(first?.id);
    await patch(`/flows/${second?.id}`, { description: "Changed" });
    expect(await order()).toEqual([second?.id, first?.id, third?.id]);
  });
});

describe("filters", () => {
  const tag = `filters-${randomUUID()}`;
  const mark = randomUUID().slice(0, 8);
  beforeAll(async () => {
    await createFlow({ name: `${mark} Plain`, tags: [tag, "shared"] });
    await createFlow({ name: `${mark} Active`, tags: [tag], status: "active" });
    await createFlow({ name: `${mark} 100% done`, tags: [tag], status: "inactive" });
    await createFlow({ name: "Other", description: `About ${mark.toUpperCase()} snake_case`, tags: [tag] });
    await createFlow({ name: `${mark} back\\slash`, tags: [`${tag}-longer`] });
  });

  // Proves flows.list.status
  it("status is exact", async () => {
    expect(await names({ tag, status: "active" })).toEqual([`${mark} Active`]);
    expect(await names({ tag, status: "inactive" })).toEqual([`${mark} 100% done`]);
    expect(await names({ tag, status: "draft" })).toHaveLength(2);
  });

  // Proves flows.list.tag
  it("a tag is matched as a whole", async () => {
    expect(await names({ tag })).toHaveLength(4);
    expect(await names({ tag: tag.slice(0, -1) })).toEqual([]);
  });

  // Proves flows.list.search
  it("search finds names and descriptions, ignoring case", async () => {
    expect((await names({ search: mark })).sort()).toHaveLength(5);
    expect(await names({ search: `${mark} pLaIn` })).toEqual([`${mark} Plain`]);
    expect(await names({ search: `about ${mark}` })).toEqual(["Other"]);
  });

  // Proves flows.list.search-words
  it("search finds words in any order, and sorts by how well the name fits when asked to", async () => {
    const word = `w${mark}`;
    for (const name of [`Reorder ${word}`, `Late ${word} order`, `Order: ${word} intake`]) await createFlow({ name });
    await createFlow({ name: "Something else", description: `Tells the ${word} of each order` });
    const search = `${word} order`;
    expect(await names({ search, sortBy: "relevance" })).toEqual([
      `Order: ${word} intake`,
      `Late ${word} order`,
      `Reorder ${word}`,
      "Something else",
    ]);
    expect(await names({ search: `ord ${word} int` })).toEqual([`Order: ${word} intake`]);
    expect(await names({ search, sortBy: "createdAt", order: "asc" })).toHaveLength(4);
    expect(await names({ search, sortBy: "lastExecutedAt" })).toHaveLength(4);
    expect(await names({ search: `${search} nowhere` })).toEqual([]);
  });

  // Proves flows.list.search-plain
  it.each([
    ["100%", 1],
    ["%", 1],
    ["snake_case", 1],
    ["_", 1],
    ["Pl_in", 0],
    ["P%n", 0],
  ])("search takes %j as plain characters", async (search, count) => {
    expect(await names({ tag, search })).toHaveLength(count);
  });

  // Proves flows.list.search-plain
  it("search finds a backslash", async () => {
    expect(await names({ search: `${mark} back\\slash` })).toEqual([`${mark} back\\slash`]);
    expect(await names({ search: `${mark} back\\` })).toHaveLength(1);
  });

  // Proves flows.list.together
  it("filters combine, and apply to the totals", async () => {
    const { pagination } = await list({ tag, status: "draft", search: mark, limit: 1 });
    expect(pagination).toMatchObject({ total: 2, totalPages: 2 });
  });

  // Proves lists.unknown-parameter
  it("the first of a repeated tag counts, and an unknown parameter is ignored", async () => {
    const { status, data } = await list(`tag=${tag}&tag=nothing&colour=blue`);
    expect(status).toBe(200);
    expect(data).toHaveLength(4);
  });
});

describe("400 for invalid parameters", () => {
  // Proves flows.list.status, lists.page-below-1, lists.sort-and-order
  it.each([
    ["page", "0"],
    ["page", "-1"],
    ["page", "1.5"],
    ["page", "abc"],
    ["page", ""],
    ["page", "1e3"],
    ["page", "0x10"],
    ["page", " 5"],
    ["page", "٣"],
    ["limit", "0"],
    ["limit", "-5"],
    ["limit", "101"],
    ["limit", "1e9"],
    ["sortBy", "password"],
    ["sortBy", "__proto__"],
    ["sortBy", "createdAt,name"],
    ["sortBy", ""],
    ["order", "DESC"],
    ["order", "random"],
    ["status", "running"],
    ["status", "Active"],
    ["search", "a\u0000"],
    ["search", "x".repeat(10_000)],
    ["tag", "\u0000"],
  ])("%s=%j", async (name, value) => {
    expectInvalid(await list({ [name]: value }), name);
  });

  it("a repeated page", async () => {
    expectInvalid(await list("page=1&page=2"), "page");
  });

  // Proves lists.every-wrong-parameter
  it("all invalid parameters are reported at once", async () => {
    const answer = await list("page=0&limit=0&order=up");
    expect(Object.keys(answer.error.details ?? {}).sort()).toEqual(["limit", "order", "page"]);
  });
});

describe("the tags of flows", () => {
  it("are listed with the number of flows for each, however many flows there are", async () => {
    const [firstTag, secondTag] = [`tag-a-${randomUUID()}`, `tag-b-${randomUUID()}`];
    await Promise.all(Array.from({ length: 3 }, () => createFlow({ tags: [firstTag, firstTag] })));
    await createFlow({ tags: [secondTag, firstTag] });
    const { data } = await get<{ tag: string; flows: number }[]>("/flows/tags");
    expect(data.filter(({ tag }) => [firstTag, secondTag].includes(tag))).toEqual([
      { tag: firstTag, flows: 4 },
      { tag: secondTag, flows: 1 },
    ]);
  });
});
