import * as executions from "#lib/contract/executions/executions.ts";
import { readTimeline as readTimelineEndpoint } from "#lib/contract/executions/timeline.ts";
import * as backtests from "#lib/contract/flows/backtests.ts";
import { checkFlow as checkFlowEndpoint } from "#lib/contract/flows/checks.ts";
import * as tests from "#lib/contract/flows/flow-tests.ts";
import * as flows from "#lib/contract/flows/flows.ts";
import { listNodeTypes } from "#lib/contract/flows/node-types.ts";
import { rehearseFlow as rehearseFlowEndpoint } from "#lib/contract/flows/rehearsals.ts";
import * as workingCopies from "#lib/contract/flows/working-copy.ts";
import { executionText, nodeExecutionText } from "#lib/executions/execution-text.ts";
import { readTimeline } from "#lib/executions/explain/timeline.ts";
import { listExecutions } from "#lib/executions/search/list-executions.ts";
import { readBacktest } from "#lib/flows/backtests/read-backtest.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { checkFlow } from "#lib/flows/flow-problems.ts";
import { listFlows } from "#lib/flows/list/list-flows.ts";
import { findOfferedFlow, listOfferedFlows } from "#lib/flows/offers/offered-flows.ts";
import { readFlow } from "#lib/flows/show-flow.ts";
import { createFlowTest, listFlowTests } from "#lib/flows/tests/flow-tests.ts";
import { rehearseFlow } from "#lib/flows/tests/rehearse-flow.ts";
import { runFlowTests } from "#lib/flows/tests/run-tests.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { readDraft, writeDraft } from "#lib/flows/working-copy/show-draft.ts";
import { answerAssistants } from "#lib/http/assistants.ts";
import { operation } from "#lib/http/operation.ts";
import { serve } from "#lib/http/serve.ts";
import { nodeManifests } from "#lib/nodes/registry.ts";
import { runOfferedFlow } from "#lib/runtime/start/run-offered-flow.ts";
import { startBacktest } from "#lib/runtime/start/start-backtest.ts";

/** The tools for assistants. Publishing and activating are left to people. */
const operations = {
  listNodeTypes: operation(listNodeTypes, async () => nodeManifests()),
  listFlows: operation(flows.listFlows, ({ actor, query }) => listFlows(actor, query)),
  readFlow: operation(flows.readFlow, ({ actor, params }) => readFlow(actor, params.id)),
  readDraft: operation(workingCopies.readDraft, ({ actor, params }) => readDraft(actor, params.id)),
  checkFlow: operation(checkFlowEndpoint, ({ actor, body }) => checkFlow(actor, body)),
  createFlow: operation(flows.createFlow, ({ actor, body }) => createFlow(actor, body)),
  updateFlow: operation(flows.updateFlow, async ({ actor, params, body, caller }) => {
    return (await updateFlow(actor, params.id, body, caller.header("if-match"))).payload;
  }),
  writeDraft: operation(workingCopies.writeDraft, ({ actor, params, body, caller }) =>
    writeDraft(actor, params.id, body, caller.header("if-match")),
  ),
  listFlowTests: operation(tests.listFlowTests, ({ actor, params, query }) => listFlowTests(actor, params.id, query)),
  createFlowTest: operation(tests.createFlowTest, ({ actor, params, body }) => createFlowTest(actor, params.id, body)),
  runFlowTests: operation(tests.runFlowTests, ({ actor, params, body }) => runFlowTests(actor, params.id, body)),
  createBacktest: operation(backtests.createBacktest, ({ actor, params, body }) =>
    startBacktest(actor, params.id, body),
  ),
  readBacktest: operation(backtests.readBacktest, ({ actor, params, query }) =>
    readBacktest(actor, params.id, params.backtestId, query),
  ),
  rehearseFlow: operation(rehearseFlowEndpoint, ({ actor, params, body }) => rehearseFlow(actor, params.id, body)),
  listExecutions: operation(executions.listExecutions, ({ actor, query }) => listExecutions(actor, query)),
  readExecution: operation(executions.readExecution, async ({ actor, params, query }) => ({
    chunks: executionText(actor, params.id, query),
  })),
  readNodeExecution: operation(executions.readNodeExecution, async ({ actor, params }) => ({
    chunks: nodeExecutionText(actor, params.id, params.nodeId),
  })),
  readTimeline: operation(readTimelineEndpoint, ({ actor, params }) => readTimeline(actor, params.id)),
};

/** The Model Context Protocol over streamable HTTP, without sessions. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: answerAssistants({
    operations,
    listFlows: listOfferedFlows,
    findFlow: findOfferedFlow,
    runFlow: runOfferedFlow,
  }),
});
