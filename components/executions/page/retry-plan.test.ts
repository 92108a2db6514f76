import { expect, test } from "vitest";
import { describeEffects } from "./retry-plan.tsx";

type Node = Parameters<typeof describeEffects>[0][number];
const node = (effect: Node["effect"], plan: Node["plan"], key: string | null = null): Node => ({
  nodeId: "n",
  nodeName: "N",
  plan,
  effect,
  replay: { again: plan === "runs", key, reason: "" },
});

test("a plan counts the repeated and reused outside effects, and those with the original idempotency key", () => {
  expect(describeEffects([node("none", "runs"), node("read", "runs")])).toBe("No side effects are repeated.");
  expect(describeEffects([node("write", "reused")])).toBe("Nothing is sent again: 1 side effect is not repeated.");
  expect(describeEffects([node("write", "runs", "k"), node("write", "runs"), node("write", "reused")])).toBe(
    "2 side effects are repeated, 1 with the original’s key, 1 not repeated.",
  );
});
