import { expect, test } from "vitest";
import { authorOf } from "./history-panel.tsx";

test("a version names its author, even after they left the workspace", () => {
  expect(authorOf({ createdBy: "user_1", createdByName: "Ada" })).toBe("Ada");
  expect(authorOf({ createdBy: "user_1", createdByName: null })).toBe("a former member");
  expect(authorOf({ createdBy: "key_1" })).toBe("a deleted API key");
  expect(authorOf({ createdBy: null, createdByName: null })).toBeNull();
});
