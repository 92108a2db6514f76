import { expect, test } from "vitest";
import { type SaveState, shownSave } from "./save-state.ts";

test("a retry does not hide that the server is away; only what comes of it does", () => {
  const away: SaveState = { kind: "offline", kept: true };
  const shown = (...states: SaveState[]) => states.reduce(shownSave).kind;
  expect(shown(away, { kind: "saving" })).toBe("offline");
  expect(shown(away, { kind: "saving" }, { kind: "offline", kept: false }, { kind: "waiting" })).toBe("offline");
  expect(shown(away, { kind: "saving" }, { kind: "saved" }, { kind: "saving" })).toBe("saving");
  expect(shown({ kind: "saved" }, { kind: "waiting" })).toBe("waiting");
});
