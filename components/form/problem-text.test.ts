import { expect, test } from "vitest";
import { problemText } from "./problem-text.ts";

test.each([
  ["is required", "Required"],
  ["is required, unless flowId is given", "Required, unless flowId is given"],
  ["waits for ever when nobody answers", "Waits for ever when nobody answers"],
  ["apiKey must have at least 4 characters", "apiKey must have at least 4 characters"],
  ["“Pay” is unknown", "“Pay” is unknown"],
])("%s", (message, shown) => expect(problemText(message)).toBe(shown));
