import { expect, test, vi } from "vitest";
import type { ImportedService } from "./document/imported.ts";
import { keepPreview, takePreview } from "./previews.ts";

const service = { title: "Pets" } as ImportedService;
const keyOf = (url: string) => ({ workspaceId: "ws_1", serviceId: "svc_1", url });

test("a preview is taken once, for the same document only", () => {
  keepPreview(keyOf("a"), service);
  expect(takePreview(keyOf("b"))).toBeUndefined();
  expect([takePreview(keyOf("a")), takePreview(keyOf("a"))]).toEqual([service, undefined]);
});

test("few are kept, and for ten minutes", () => {
  for (const url of ["a", "b", "c", "d", "e"]) keepPreview(keyOf(url), service);
  expect(["a", "b", "e"].map((url) => takePreview(keyOf(url)))).toEqual([undefined, service, service]);
  const now = performance.now();
  const clock = vi.spyOn(performance, "now").mockReturnValue(now + 600_001 + 60_000);
  expect(takePreview(keyOf("c"))).toBeUndefined();
  clock.mockRestore();
});
