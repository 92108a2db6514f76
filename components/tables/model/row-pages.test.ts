import { expect, test } from "vitest";
import type { ShownRow } from "#components/tables/table-queries.ts";
import {
  countOf,
  missingPages,
  noRows,
  patched,
  type RowPages,
  rowAt,
  unsavedRow,
  withAdded,
  without,
  withoutFarPages,
  withPage,
  withPageAgain,
} from "./row-pages.ts";

const row = (n: number): ShownRow => ({ id: `r${n}`, version: 1, createdAt: "", updatedAt: "" });
const page = (from: number, count: number) => Array.from({ length: count }, (_, n) => row(from + n));

function filled(pages: number, size = 10): RowPages {
  let state = noRows;
  for (let index = 0; index < pages; index += 1) {
    const nextCursor = index === pages - 1 ? null : `c${index + 1}`;
    state = withPage(state, index === 0 ? null : `c${index}`, { rows: page(index * size, size), nextCursor });
  }
  return state;
}

test("rows are found across pages", () => {
  const state = filled(3);
  expect(countOf(state)).toBe(30);
  expect([0, 9, 10, 29, 30].map((at) => rowAt(state, at)?.id)).toEqual(["r0", "r9", "r10", "r29", undefined]);
});

test("distant pages are dropped, and their places stay", () => {
  const state = withoutFarPages(filled(100), 995);
  expect(countOf(state)).toBe(1_000);
  expect(rowAt(state, 0)).toBeUndefined();
  expect(rowAt(state, 999)?.id).toBe("r999");
  expect(missingPages(state, 0, 25)).toEqual([0, 1, 2]);
  expect(missingPages(state, 990, 999)).toEqual([]);
  const again = withPageAgain(state, 0, page(0, 10));
  expect(rowAt(again, 3)?.id).toBe("r3");
  expect(missingPages(again, 0, 25)).toEqual([1, 2]);
});

test("a row that a page contains again is listed once", () => {
  const state = withPageAgain({ ...filled(2), added: [row(5)] }, 0, page(0, 11));
  expect(countOf(state)).toBe(20);
  expect(rowAt(state, 8)?.id).toBe("r9");
});

test("added rows are at the end, or before all others if the end is not in view", () => {
  const atEnd = withAdded(filled(1), [row(77)]);
  expect(rowAt(atEnd, 10)?.id).toBe("r77");
  const first = withAdded({ ...filled(1), next: "c1" }, [row(77)]);
  expect([0, 1].map((at) => rowAt(first, at)?.id)).toEqual(["r77", "r0"]);
  expect(missingPages(first, 0, 5)).toEqual([]);
});

test("rows change and go, wherever they are", () => {
  const unsaved = unsavedRow({ n: 1 });
  const state = withAdded(filled(2), [unsaved]);
  const after = without(
    patched(
      state,
      new Map([
        ["r11", { n: 5 }],
        [unsaved.id, { n: 2 }],
      ]),
    ),
    new Set(["r0"]),
  );
  expect(countOf(after)).toBe(20);
  expect(rowAt(after, 10)).toMatchObject({ id: "r11", n: 5 });
  expect(rowAt(after, 19)).toMatchObject({ n: 2 });
});
