import { z } from "zod";
import { isStorableText } from "#lib/engine/flow.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import { expressionField, optionalConditionField } from "./config-fields.ts";
import { defineNode } from "./define.ts";

const caseId = z
  .string("must be text")
  .min(1, "must not be empty")
  .max(64, "must have at most 64 characters")
  .refine(isStorableText, "must not contain U+0000 or unpaired surrogates")
  .refine((id) => id !== "default" && id !== "error", '"default" and "error" are handles of every switch')
  .meta({ title: "Id", description: "The handle of this case." });

/** Leaves by the id of the first matching case, else by `default`. Output: `{value, case}`. */
export const switchNode = defineNode({
  type: "switch",
  name: "Switch",
  keywords: ["router", "route", "case"],
  family: "logic",
  icon: "route",
  iconPath:
    "M3 19a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M19 7a2 2 0 1 0 0 -4a2 2 0 0 0 0 4M11 19h5.5a3.5 3.5 0 0 0 0 -7h-8a3.5 3.5 0 0 1 0 -7h4.5",
  summary: ["on {value}"],
  description: `Takes one of several branches. Each case has an id, which is its handle, and either \`equals\` (compared
with \`value\`) or \`when\` (an expression). The first matching case is taken; without one, \`default\`.

Example: \`{"value": "{{ $trigger.body.country }}", "cases": [{"id": "home", "equals": "CH"}, {"id": "eu", "when":
"['DE','FR','IT'].includes($trigger.body.country)"}]}\` gives \`{"value": "DE", "case": "eu"}\` for \`DE\`.`,
  effect: "none",
  decidesBy: "value",
  ignoresInput: true,
  readAs: "$switch",
  handles: { fixed: ["default"], each: "cases" },
  config: z.object({
    value: expressionField({ title: "Value", description: "The expression to compare the cases with." }),
    cases: z
      .array(
        z.object({
          id: caseId,
          equals: z.unknown().optional().meta({ title: "Equals", description: "The value that this case matches." }),
          when: optionalConditionField({ title: "When", description: "An expression that says whether it matches." }),
        }),
        "must be a list of cases",
      )
      .max(100, "a switch has at most 100 cases")
      .refine((cases) => new Set(cases.map((item) => item.id)).size === cases.length, "every case needs its own id")
      .meta({ title: "Cases", description: "Tried in order; the first match is taken." }),
  }),
  example: { value: "{{ $trigger.body.country }}", cases: [{ id: "home", equals: "CH" }] },
  run: async ({ value, cases }) => {
    const text = value === undefined ? undefined : await jsonInTurns(value);
    const matches = async ({ when, equals }: (typeof cases)[number]) =>
      when === undefined ? (await jsonInTurns(equals ?? null)) === text : Boolean(when);
    let handle = "default";
    for (const item of cases) {
      if (!(await matches(item))) continue;
      handle = item.id;
      break;
    }
    return { output: { value, case: handle }, handle };
  },
});
