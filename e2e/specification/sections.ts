import { addresses } from "./addresses.ts";
import { apiKeys } from "./api-keys.ts";
import { authentication } from "./authentication.ts";
import { beyond } from "./beyond.ts";
import { configuration } from "./configuration.ts";
import { conventions } from "./conventions.ts";
import { credentials } from "./credentials.ts";
import { edge } from "./edge.ts";
import { errors } from "./errors.ts";
import { events } from "./events.ts";
import { executionStatus } from "./execution-status.ts";
import { executionsCancel } from "./executions-cancel.ts";
import { executionsDelete } from "./executions-delete.ts";
import { executionsList } from "./executions-list.ts";
import { executionsLogs } from "./executions-logs.ts";
import { executionsRead } from "./executions-read.ts";
import { executionsRetry } from "./executions-retry.ts";
import { executionsStats } from "./executions-stats.ts";
import { expressions } from "./expressions.ts";
import { flow } from "./flow.ts";
import { flowStatus } from "./flow-status.ts";
import { flowsCreate } from "./flows-create.ts";
import { flowsDelete } from "./flows-delete.ts";
import { flowsDuplicate } from "./flows-duplicate.ts";
import { flowsExecute } from "./flows-execute.ts";
import { flowsExport } from "./flows-export.ts";
import { flowsImport } from "./flows-import.ts";
import { flowsList } from "./flows-list.ts";
import { flowsRead } from "./flows-read.ts";
import { flowsUpdate } from "./flows-update.ts";
import { flowsVersions } from "./flows-versions.ts";
import { graph } from "./graph.ts";
import { httpRequest } from "./http-request.ts";
import { idempotency } from "./idempotency.ts";
import { limits } from "./limits.ts";
import { lists } from "./lists.ts";
import { node } from "./node.ts";
import { nodes } from "./nodes.ts";
import type { Section } from "./section.ts";
import { text } from "./text.ts";
import { trigger } from "./trigger.ts";
import { triggerUrls } from "./trigger-urls.ts";
import { webhooks } from "./webhooks.ts";

/** Every section by its name, which begins the ids of its statements. */
export const sections: Readonly<Record<string, Section>> = {
  addresses,
  "api-keys": apiKeys,
  authentication,
  beyond,
  configuration,
  conventions,
  credentials,
  edge,
  errors,
  events,
  "execution-status": executionStatus,
  "executions.cancel": executionsCancel,
  "executions.delete": executionsDelete,
  "executions.list": executionsList,
  "executions.logs": executionsLogs,
  "executions.read": executionsRead,
  "executions.retry": executionsRetry,
  "executions.stats": executionsStats,
  expressions,
  "flow-status": flowStatus,
  flow,
  "flows.create": flowsCreate,
  "flows.delete": flowsDelete,
  "flows.duplicate": flowsDuplicate,
  "flows.execute": flowsExecute,
  "flows.export": flowsExport,
  "flows.import": flowsImport,
  "flows.list": flowsList,
  "flows.read": flowsRead,
  "flows.update": flowsUpdate,
  "flows.versions": flowsVersions,
  graph,
  "http-request": httpRequest,
  idempotency,
  limits,
  lists,
  node,
  nodes,
  text,
  "trigger-urls": triggerUrls,
  trigger,
  webhooks,
};
