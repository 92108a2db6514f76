// Converts n8n workflows and runs them: the outputs must be n8n's, worked out by hand.
import { afterAll, describe, expect, test } from "vitest";
import { newFlow } from "#lib/contract/flows/flows.ts";
import { nodesWithin } from "#lib/engine/flow-body.ts";
import { findGraphProblems } from "#lib/engine/graph.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { findConfigProblems, nodeTypes } from "#lib/nodes/registry.ts";
import { prepareReplay } from "#lib/replay/prepare.ts";
import { emptyTrigger, replay } from "#lib/replay/replay.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { convertN8n } from "./convert.ts";
import { dataCases } from "./testing/data-cases.ts";
import { expressionCases } from "./testing/expression-cases.ts";
import { gapCases } from "./testing/gap-cases.ts";
import { listCases } from "./testing/list-cases.ts";
import { mergeCases } from "./testing/merge-cases.ts";
import { outsideCases } from "./testing/outside-cases.ts";
import { serviceCases } from "./testing/service-cases.ts";
import { type Case, manual, n8nDocument, n8nNode, set, webhook } from "./testing/workflows.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const cases = [
  ...dataCases,
  ...listCases,
  ...outsideCases,
  ...serviceCases,
  ...expressionCases,
  ...mergeCases,
  ...gapCases,
];

/** The flow as the API would store it; it must have no problems. */
async function converted(document: unknown) {
  const { flow, report } = await convertN8n(document);
  const stored = newFlow.parse(flow);
  expect(findGraphProblems(stored.nodes, stored.edges, nodeTypes)).toEqual([]);
  return { flow: stored, report };
}

async function run({ document, body = {}, recordings = {} }: Case) {
  const { flow } = await converted(document);
  return await replay(
    prepareReplay(flow),
    { trigger: { ...emptyTrigger, body }, now: "2026-01-31T10:00:00.000Z", recordings },
    { flowName: flow.name, sandbox, owner: "ws" },
  );
}

describe("a workflow of n8n", () => {
  test("is covered by at least thirty documents", () => expect(cases.length).toBeGreaterThanOrEqual(30));

  test.each(cases)("$title", async (testCase) => {
    const { flow, report } = await converted(testCase.document);
    expect(report.gaps.map(({ node, reason }) => [node, reason])).toEqual(
      (testCase.gaps ?? []).map(([node, reason]) => [
        node,
        expect.stringMatching(new RegExp(`^${reason.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`)),
      ]),
    );
    for (const { credential } of report.gaps) {
      if (credential !== undefined) expect(credential.name).toMatch(/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u);
    }
    for (const node of nodesWithin(flow.nodes, nodeTypes.traits)) {
      expect([node, findConfigProblems(node.type, node.config)]).toEqual([node, []]);
    }
    if (testCase.output === undefined && testCase.failure === undefined) return;
    const replayed = await run(testCase);
    const failed = [...replayed.nodes].flatMap(([id, { error }]) => (error === null ? [] : [[id, error]]));
    if (testCase.failure === undefined)
      expect([replayed.failure, replayed.notRecorded, replayed.failure && failed]).toEqual([null, [], null]);
    else expect(replayed.failure?.error.message).toContain(testCase.failure);
    if (testCase.output !== undefined) expect(replayed.output).toEqual(testCase.output);
    for (const [id, output] of Object.entries(testCase.nodes ?? {}))
      expect([id, replayed.nodes.get(id)?.output]).toEqual([id, output]);
    for (const [id, request] of Object.entries(testCase.requests ?? {}))
      expect(replayed.nodes.get(id)?.request).toMatchObject(request as object);
  });
});

test("a text is answered as text, in the type that n8n gives it unless the workflow sets one", async () => {
  const answer = async (options: JsonObject) => {
    const { flow } = await converted(
      n8nDocument(
        "Text",
        [webhook(), n8nNode("Answer", "respondToWebhook", { respondWith: "text", responseBody: "later", options })],
        ["Webhook -> Answer"],
      ),
    );
    return flow.nodes.map(({ config }) => config);
  };
  expect(await answer({})).toMatchObject([{ body: "later", headers: { "Content-Type": "text/html; charset=utf-8" } }]);
  const entries = [{ name: "content-type", value: "text/plain" }];
  expect(await answer({ responseHeaders: { entries } })).toMatchObject([{ headers: { "content-type": "text/plain" } }]);
});

test("a workflow's time limit is the flow's, and a call may be answered without data", async () => {
  const call = webhook({ responseMode: "lastNode", responseData: "noData" });
  const settings = { settings: { executionTimeout: 90 } };
  const document = n8nDocument("Limit", [call, n8nNode("Rest", "noOp")], ["Webhook -> Rest"], settings);
  const { flow } = await converted(document);
  expect(flow.settings).toMatchObject({ timeoutMs: 90_000 });
  expect(flow.nodes.at(-1)).toMatchObject({ type: "respond", config: { body: "" } });
});

test("a wait goes on with its input after its time limit, and with the answer before", async () => {
  const wait = (parameters: JsonObject) =>
    n8nNode("Wait", "wait", { limitWaitTime: true, ...parameters }, { version: 1.1 });
  const out = set("Out", { text: "={{ $json.id }} {{ $json['OK?'] }} {{ $json.body?.ok }}" });
  const outputOf = async (parameters: JsonObject, recorded: JsonObject) => {
    const document = n8nDocument("Wait", [manual, wait(parameters), out], ["Start -> Wait", "Wait -> Out"]);
    return (await run({ title: "", document, body: { id: 7 }, recordings: { wait: { output: recorded } } })).output;
  };
  const form = { resume: "form", formTitle: "OK?", formFields: { values: [{ fieldLabel: "OK?" }] } };
  const call = { resume: "webhook", limitType: "atSpecifiedTime", maxDateAndTime: "2026-02-01T00:00:00Z" };
  const answered = (body: JsonObject) => ({ body, resumedAt: "2026-01-31T11:00:00.000Z", resumedBy: null });
  const timedOut = { body: null, resumedAt: null, resumedBy: null, timedOutAt: "2026-01-31T11:00:00.000Z" };
  expect(await outputOf(form, answered({ OK: "yes" }))).toEqual({ text: " yes " });
  expect(await outputOf(form, timedOut)).toEqual({ text: "7  " });
  expect(await outputOf(call, answered({ ok: 1 }))).toEqual({ text: "  1" });
  expect(await outputOf(call, timedOut)).toEqual({ text: "7  " });
});

test("an RSS feed starts a run for each entry", async () => {
  const item = [{ mode: "everyX", value: 5, unit: "minutes" }];
  const feed = n8nNode("Feed", "rssFeedReadTrigger", { feedUrl: "https://blog.example.com/rss", pollTimes: { item } });
  const out = set("Out", { at: "={{ $json.isoDate }}", title: "={{ $json.title }}" });
  const document = n8nDocument("Feed", [feed, out], ["Feed -> Out"]);
  const { flow, report } = await converted(document);
  expect(flow.trigger).toEqual({ type: "rss", config: { url: "https://blog.example.com/rss", everyMs: 300_000 } });
  expect(report.gaps).toEqual([]);
  const body = { title: "News", published: "2026-01-31T00:00:00Z" };
  expect((await run({ title: "", document, body })).output).toEqual({ title: "News", at: body.published });
});

test("what a form says at its end, and choices of several, are reported", async () => {
  const values = [{ fieldLabel: "Colours", fieldType: "dropdown", multiselect: true }];
  const options = { respondWithOptions: { values: { formSubmittedText: "Thanks" } }, path: "x" };
  const form = n8nNode("Form", "formTrigger", { formTitle: "T", formFields: { values }, options }, { version: 2.2 });
  const field = n8nNode(
    "List",
    "set",
    {
      assignments: { assignments: [{ name: "a[0]", type: "number", value: 1 }] },
    },
    { version: 3.4 },
  );
  const { report } = await converted(n8nDocument("Form", [form, field], ["Form -> List"]));
  expect(report.gaps.map(({ reason }) => reason)).toEqual([
    "Settings are left out: respondWithOptions.",
    "The form takes one choice for “Colours”, not several.",
    expect.stringContaining("a field within a list"),
  ]);
});

test("a credential's name begins in small letters, also after an abbreviation", async () => {
  const nameOf = async (name: string) => {
    const request = n8nNode("Ask", "httpRequest", {
      authentication: "genericCredentialType",
      genericAuthType: "httpHeaderAuth",
    });
    const node = { ...request, credentials: { httpHeaderAuth: { id: "1", name } } };
    const { report } = await converted(n8nDocument("Ask", [webhook(), node], ["Webhook -> Ask"]));
    return report.gaps.find(({ credential }) => credential !== undefined)?.credential?.name;
  };
  expect(await nameOf("CRM key")).toBe("crmKey");
  expect(await nameOf("APIKey of Ada")).toBe("apiKeyOfAda");
  expect(await nameOf("Mail server")).toBe("mailServer");
});
