import { z } from "zod";
import { parseTime } from "#lib/contract/parse-time.ts";
import { flowLimits, flowName } from "#lib/engine/flow.ts";
import { depthMax } from "#lib/engine/flow-body.ts";
import { isJsonObject } from "#lib/engine/json.ts";

/** Limits on a flow's tests (docs/testing.md). */
export const testLimits = {
  testsMax: 100,
  /** One test as JSON: no more than a request's body. */
  testCharactersMax: 1_048_576,
  /** All tests of a flow together. */
  allCharactersMax: 5 * 1_048_576,
  ignoredMax: 100,
  pathCharactersMax: 1_000,
  /** Headers of a trigger, and parameters of its query. */
  namesMax: 500,
} as const;

type Recorded =
  | { readonly output: unknown }
  | { readonly error: { readonly message: string; readonly code: string } }
  | { readonly recordings: Readonly<Record<string, Recording>> };
type Recording = Recorded | { readonly sequence: readonly Recorded[] };

/** `depth`: how many more levels of sub-flows are allowed. */
function isRecorded(value: unknown, depth: number): value is Recorded {
  if (!isJsonObject(value)) return false;
  // Only one: each determines the node's result.
  if (["output", "error", "recordings"].filter((name) => Object.hasOwn(value, name)).length !== 1) return false;
  if (Object.hasOwn(value, "output")) return true;
  if (Object.hasOwn(value, "recordings")) {
    const within = value.recordings;
    return depth > 0 && isJsonObject(within) && Object.values(within).every((item) => isRecording(item, depth - 1));
  }
  return isJsonObject(value.error) && typeof value.error.message === "string" && typeof value.error.code === "string";
}

function isRecording(value: unknown, depth: number): value is Recording {
  if (!isJsonObject(value) || !Object.hasOwn(value, "sequence")) return isRecorded(value, depth);
  const { sequence } = value;
  return Array.isArray(sequence) && sequence.length > 0 && sequence.every((item) => isRecorded(item, depth));
}

const recording = z
  .unknown()
  .refine((value) => isRecording(value, depthMax), {
    error: "must be {output}, {error: {message, code}}, {recordings} or {sequence: [{output} | {error}, …]}",
  })
  .transform((value) => value as Recording)
  .meta({ type: "object", additionalProperties: true });

/**
 * An object with any keys, up to a maximum: keys are counted before values are checked. Unlike `z.record`, keeps a key
 * named `__proto__`.
 */
function recordOf<Value extends z.ZodType>(label: string, max: number, value: Value) {
  const isFew = (given: unknown) => !isJsonObject(given) || hasAtMost(given, max);
  const few = z.unknown().refine(isFew, { error: `${label} must have at most ${max} members`, abort: true });
  const all = few.transform((given, context) => {
    if (!isJsonObject(given)) {
      context.addIssue(`${label} must be an object`);
      return z.NEVER;
    }
    const entries = Object.entries(given).map(([key, member]) => {
      const { data, error } = value.safeParse(member, { reportInput: true });
      for (const issue of error?.issues ?? []) context.addIssue({ ...issue, path: [key, ...issue.path] } as never);
      return [key, data as z.output<Value>];
    });
    return Object.fromEntries(entries) as Record<string, z.output<Value>>;
  });
  return all.meta({ type: "object", additionalProperties: true, maxProperties: max });
}

function hasAtMost(given: object, max: number): boolean {
  let count = 0;
  for (const _ in given) {
    count += 1;
    if (count > max) return false;
  }
  return true;
}

export const triggerData = z.object(
  {
    body: z.unknown().optional().default({}).describe("The body that starts the flow"),
    headers: recordOf("headers", testLimits.namesMax, z.string("a header must be text"))
      .optional()
      .default({})
      .describe("Headers that start the flow, with lower-case names"),
    query: recordOf(
      "query",
      testLimits.namesMax,
      z.union([z.string(), z.array(z.string())], "must be text or a list of text"),
    )
      .optional()
      .default({})
      .describe("Query parameters that start the flow"),
    method: z
      .string("method must be text")
      .max(20, "method must have at most 20 characters")
      .optional()
      .default("POST")
      .describe("The method of the request that starts it"),
  },
  "trigger must be an object",
);

const expectedNode = z.object(
  {
    status: z
      .enum(["completed", "failed", "cancelled", "skipped"], "must be completed, failed, cancelled or skipped")
      .optional(),
    output: z.unknown().optional(),
    request: z.unknown().optional(),
    error: z.unknown().optional(),
    items: z.unknown().optional(),
    credentials: z.unknown().optional(),
  },
  "must be {status, output, request, error, items, credentials}",
);

export const expectation = z.object(
  {
    status: z
      .enum(["completed", "failed"], "status must be completed or failed")
      .optional()
      .default("completed")
      .describe("Its status"),
    output: z.unknown().optional().describe("Its output"),
    nodes: recordOf("nodes", flowLimits.nodesMax, expectedNode).optional().describe("Its nodes"),
    ignore: z
      .array(
        z
          .string("a path must be text")
          .min(1, "a path must not be empty")
          .max(testLimits.pathCharactersMax, `a path must have at most ${testLimits.pathCharactersMax} characters`),
        "ignore must be an array of paths",
      )
      .max(testLimits.ignoredMax, `a test ignores at most ${testLimits.ignoredMax} paths`)
      .optional()
      .describe("Paths that are not compared, such as `output.id`; `*` matches any one key or index"),
  },
  "expect must be an object",
);

const lastTime = Date.UTC(9999, 11, 31);

export const time = z.string("now must be a time").transform((text, context) => {
  const at = text.includes("T") ? parseTime(text, "start") : null;
  if (at !== null && at.getTime() >= 0 && at.getTime() < lastTime) return at.toISOString();
  context.addIssue({ code: "custom", message: "now must be a time such as 2026-01-31T10:00:00Z" });
  return z.NEVER;
});

export const deep = z.boolean("deep must be true or false");

export const recordings = recordOf("recordings", flowLimits.nodesMax, recording);

/** An exported test, without the fields that the service adds. */
export const flowTestDocument = z.object({
  name: flowName.describe("Its name"),
  trigger: triggerData
    .optional()
    .default({ body: {}, headers: {}, query: {}, method: "POST" })
    .describe("What starts it"),
  now: time.optional().describe("The time that the run sees"),
  recordings: recordings.optional().default({}).describe("Answers from outside, by node id"),
  deep: deep.optional().describe("Whether sub-flows are replayed too, with the recordings of their own nodes"),
  expect: expectation.optional().default({ status: "completed" }).describe("The expected result"),
});

/** All tests of a flow, sent with it. */
export const testsOfFlow = z
  .array(flowTestDocument, "tests must be an array of tests")
  .max(testLimits.testsMax, `a flow has at most ${testLimits.testsMax} tests`)
  .optional()
  .describe("Its new tests, as in an export");

export type FlowTests = z.output<typeof testsOfFlow>;
