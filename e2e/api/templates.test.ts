import { describe, expect, it } from "vitest";
import { get, post } from "../support/api-client.ts";
import { inOwnWorkspace } from "../support/own-workspace.ts";
import { expectInvalid, expectRefusal } from "../support/refusals.ts";

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly category: string;
}

interface Whole extends Listed {
  readonly tables: readonly { readonly name: string }[];
  readonly flow: { readonly settings: { readonly canvas: { readonly samples: readonly { data: unknown }[] } } };
}

interface TestRun {
  readonly passed: number;
  readonly failed: number;
  readonly results: readonly { readonly name: string; readonly problems: readonly unknown[] }[];
}

inOwnWorkspace("Templates");

const listAll = async () => (await get<Listed[]>("/templates?limit=100")).data;

describe("GET /templates", () => {
  it("lists them in pages, by category, and by words in any order", async () => {
    const all = await listAll();
    expect(all.filter(({ category }) => category !== "basics").length).toBeGreaterThanOrEqual(30);
    expect((await get<Listed[]>("/templates?page=2&limit=5")).data).toEqual(all.slice(5, 10));
    expect((await get<Listed[]>("/templates?category=basics")).data).toHaveLength(8);
    expect((await get<Listed[]>("/templates?search=crm%20form")).data[0]).toMatchObject({ id: "form-to-crm" });
    expect((await get<Listed[]>("/templates?search=zzzz")).data).toEqual([]);
    expectInvalid(await get("/templates?category=nope"), "category");
    expectInvalid(await get("/templates?search=%00"), "search");
  });

  it("404: there is no such template", async () => {
    for (const id of ["nope", "__proto__", "constructor", "a%00b"])
      expectRefusal(await get(`/templates/${id}`), 404, "NOT_FOUND");
  });
});

it("each becomes a flow whose tests pass", async () => {
  const made = new Set<string>();
  for (const { id } of await listAll()) {
    const { flow, tables } = (await get<Whole>(`/templates/${id}`)).data;
    for (const table of tables) {
      if (made.has(table.name)) continue;
      expect((await post("/tables", table)).status, `${id}: ${table.name}`).toBe(201);
      made.add(table.name);
    }
    const created = await post<{ id: string }>("/flows", flow);
    expect(created.status, `${id}: ${created.text.slice(0, 500)}`).toBe(201);
    const { data } = await post<TestRun>(`/flows/${created.data.id}/tests/run`, {});
    expect(data.results.flatMap(({ name, problems }) => problems.map((problem) => ({ id, name, problem })))).toEqual(
      [],
    );
    expect(data.failed).toBe(0);
  }
});

it("a basic one completes with its own sample, and can be activated", async () => {
  for (const { id, category } of await listAll()) {
    if (category !== "basics") continue;
    const { flow } = (await get<Whole>(`/templates/${id}`)).data;
    const created = await post<{ id: string }>("/flows", { ...flow, status: "active" });
    expect(created.status, id).toBe(201);
    const [sample] = flow.settings.canvas.samples;
    const run = await post<{ status: string }>(`/flows/${created.data.id}/execute`, {
      data: sample?.data,
      async: false,
    });
    expect(run.data.status, id).toBe("completed");
  }
});
