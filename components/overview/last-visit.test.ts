import { expect, test, vi } from "vitest";
import { noteOwnVisit, noteVisit, readVisits } from "./since-last-visit.tsx";

const minute = 60_000;

test("a visit ends after half an hour without activity", () => {
  const first = noteVisit(null, 0);
  expect(first).toEqual({ before: null, seen: 0 });
  const later = noteVisit(first, 20 * minute);
  expect(later).toEqual({ before: null, seen: 20 * minute });
  const next = noteVisit(later, 50 * minute);
  expect(next).toEqual({ before: 20 * minute, seen: 50 * minute });
  expect(noteVisit(next, 60 * minute)).toEqual({ before: 20 * minute, seen: 60 * minute });
});

test("an unreadable record counts as no visit", () => {
  for (const text of [null, "", "{", "7", '{"seen":"now"}']) expect(readVisits(text)).toBeNull();
  expect(readVisits('{"seen":5,"before":"?"}')).toEqual({ seen: 5, before: null });
});

test("a browser that blocks storage has its first visit every time", () => {
  vi.stubGlobal("window", {
    get localStorage() {
      throw new DOMException("blocked", "SecurityError");
    },
  });
  expect(noteOwnVisit().before).toBeNull();
  vi.unstubAllGlobals();
});
