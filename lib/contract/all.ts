import * as account from "./accounts/account.ts";
import * as apiKeys from "./accounts/api-keys.ts";
import * as auditLog from "./accounts/audit-log.ts";
import * as members from "./accounts/members.ts";
import * as workspaces from "./accounts/workspaces.ts";
import * as alerts from "./alerts.ts";
import * as credentialConnections from "./credential-connections.ts";
import * as credentials from "./credentials.ts";
import type { Endpoint } from "./endpoint.ts";
import * as executionBulk from "./executions/bulk.ts";
import * as events from "./executions/events.ts";
import * as executions from "./executions/executions.ts";
import * as executionOverview from "./executions/figures.ts";
import * as executionRecent from "./executions/figures.ts";
import * as executionStats from "./executions/figures.ts";
import * as executionIterations from "./executions/iterations.ts";
import * as executionLogs from "./executions/logs.ts";
import * as executionRetries from "./executions/retries.ts";
import * as savedFilters from "./executions/saved-filters.ts";
import * as executionStream from "./executions/stream.ts";
import * as executionTimeline from "./executions/timeline.ts";
import * as executionWaits from "./executions/waits.ts";
import * as files from "./files.ts";
import * as backtests from "./flows/backtests.ts";
import * as expressions from "./flows/checks.ts";
import * as flowCheck from "./flows/checks.ts";
import * as schedules from "./flows/checks.ts";
import * as favorites from "./flows/favorites.ts";
import * as flowCopies from "./flows/flow-copies.ts";
import * as flowTags from "./flows/flow-tags.ts";
import * as flowTests from "./flows/flow-tests.ts";
import * as flowTypes from "./flows/flow-types.ts";
import * as flowVersions from "./flows/flow-versions.ts";
import * as flows from "./flows/flows.ts";
import * as nodeTypes from "./flows/node-types.ts";
import * as polls from "./flows/polls.ts";
import * as presence from "./flows/presence.ts";
import * as rehearsals from "./flows/rehearsals.ts";
import * as workingCopy from "./flows/working-copy.ts";
import * as serviceImports from "./service-imports.ts";
import * as services from "./services.ts";
import * as rows from "./tables/rows.ts";
import * as tables from "./tables/tables.ts";
import * as templates from "./templates.ts";
import * as webhooks from "./webhooks.ts";

const subjects = [
  flows,
  flowCheck,
  favorites,
  flowCopies,
  flowTags,
  flowTests,
  backtests,
  flowTypes,
  flowVersions,
  polls,
  presence,
  rehearsals,
  workingCopy,
  executions,
  executionBulk,
  executionStats,
  executionRecent,
  executionOverview,
  executionWaits,
  events,
  executionIterations,
  executionLogs,
  executionRetries,
  executionStream,
  executionTimeline,
  expressions,
  credentials,
  credentialConnections,
  apiKeys,
  alerts,
  tables,
  rows,
  files,
  nodeTypes,
  services,
  serviceImports,
  templates,
  schedules,
  webhooks,
  account,
  savedFilters,
  workspaces,
  members,
  auditLog,
] as const;

type Merged<Subject> = (Subject extends unknown ? (subject: Subject) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Described = Merged<(typeof subjects)[number]>;

/** The operations by name. */
export type Operations = {
  [Name in keyof Described as Described[Name] extends Endpoint ? Name : never]: Described[Name];
};

export const operations: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  subjects
    .flatMap((subject) => Object.entries(subject))
    .filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
);

/** Every operation of the API. Tests compare it with the route files and with the server's answers. */
export const allEndpoints: readonly Endpoint[] = Object.values(operations);

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "path" in value && "scope" in value;
}
