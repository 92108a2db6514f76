import { expect, test, vi } from "vitest";
import { handleGridKey } from "./grid-keys.ts";

/** What editing starts with after a key; null if it does not start. */
function typed(key: string, held: Partial<Record<"ctrlKey" | "altKey" | "metaKey" | "altGraph", boolean>> = {}) {
  const edit = vi.fn<(place: unknown, text?: string) => void>();
  const target = {};
  const event = {
    ...{ key, target, currentTarget: target, ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, ...held },
    getModifierState: (name: string) => name === "AltGraph" && held.altGraph === true,
    preventDefault: vi.fn(),
  };
  const context = {
    grid: { active: { row: 0, column: 0 }, count: 1, edit },
    state: { rows: { pages: [], added: [{ id: "row_1", name: "x" }], addedFirst: false }, problems: new Map() },
    columns: [{ id: "col_1", name: "name", type: "text" }],
    pageRows: 10,
  };
  handleGridKey(event as never, context as never);
  expect(event.preventDefault).toHaveBeenCalledTimes(edit.mock.calls.length);
  return edit.mock.calls[0]?.[1] ?? null;
}

test("a character starts editing, with AltGr as well", () => {
  expect(typed("a")).toBe("a");
  expect(typed("@", { altGraph: true })).toBe("@");
  // As Windows reports AltGr.
  expect(typed("€", { ctrlKey: true, altKey: true, altGraph: true })).toBe("€");
});

test("a shortcut does not", () => {
  expect(typed("c", { ctrlKey: true })).toBeNull();
  expect(typed("v", { metaKey: true })).toBeNull();
  expect(typed("f", { altKey: true })).toBeNull();
  expect(typed("F5")).toBeNull();
});

test("Option types on a Mac", () => {
  vi.stubGlobal("navigator", { platform: "MacIntel", userAgent: "Mac OS X" });
  expect(typed("@", { altKey: true })).toBe("@");
  expect(typed("c", { metaKey: true, altKey: true })).toBeNull();
  vi.unstubAllGlobals();
});
