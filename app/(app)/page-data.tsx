import { QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Api } from "#components/api/use-api.ts";
import { PageAnswers } from "#components/shell/page-answers.tsx";
import { listAlerts } from "#lib/alerts/alerts.ts";
import { actorOfSession } from "#lib/auth/session.ts";
import { listAlerts as listAlertsEndpoint } from "#lib/contract/alerts.ts";
import * as executions from "#lib/contract/executions/executions.ts";
import { readOverview as readOverviewEndpoint } from "#lib/contract/executions/figures.ts";
import { listApprovals as listApprovalsEndpoint } from "#lib/contract/executions/waits.ts";
import { listFlowTags as listFlowTagsEndpoint } from "#lib/contract/flows/flow-tags.ts";
import { readFlowVersion as readFlowVersionEndpoint } from "#lib/contract/flows/flow-versions.ts";
import * as flows from "#lib/contract/flows/flows.ts";
import { executionText } from "#lib/executions/execution-text.ts";
import { listExecutions } from "#lib/executions/search/list-executions.ts";
import { readOverview } from "#lib/executions/statistics/read-overview.ts";
import { listApprovals } from "#lib/executions/waiting/list-waits.ts";
import { readFlowVersion } from "#lib/flows/flow-versions.ts";
import { listFlows, listFlowTags } from "#lib/flows/list/list-flows.ts";
import { readFlow } from "#lib/flows/show-flow.ts";
import { callOperation, type Operation, operation } from "#lib/http/operation.ts";
import { pageSession } from "./page-session.ts";

/** What a page reads while the server renders it. */
const operations: Readonly<Record<string, Operation>> = {
  listAlerts: operation(listAlertsEndpoint, ({ actor, query }) => listAlerts(actor, query)),
  listApprovals: operation(listApprovalsEndpoint, ({ actor }) => listApprovals(actor)),
  listExecutions: operation(executions.listExecutions, ({ actor, query }) => listExecutions(actor, query)),
  listFlows: operation(flows.listFlows, ({ actor, query }) => listFlows(actor, query)),
  listFlowTags: operation(listFlowTagsEndpoint, ({ actor }) => listFlowTags(actor)),
  readExecution: operation(executions.readExecution, async ({ actor, params, query }) => ({
    chunks: executionText(actor, params.id, query),
  })),
  readFlow: operation(flows.readFlow, ({ actor, params }) => readFlow(actor, params.id)),
  readFlowVersion: operation(readFlowVersionEndpoint, ({ actor, params }) =>
    readFlowVersion(actor, params.id, params.version),
  ),
  readOverview: operation(readOverviewEndpoint, ({ actor, query }) => readOverview(actor, query)),
};

/** Larger data is loaded after the scripts: the page would contain it twice, as JSON and as markup. */
const charactersMax = 60_000;
/** Milliseconds after which a page is sent without its data. */
const waitMsMax = 250;

interface PageDataProps {
  /** Runs a page's queries on the server. Failures are ignored here: the page repeats the query and shows the reason. */
  readonly read: (queries: QueryClient, api: Api) => Promise<unknown>;
  /** The page. If the server draws parts of it, they are made from the data that was read in time. */
  readonly children: ReactNode | ((read: QueryClient, api: Api) => ReactNode);
}

/**
 * Renders a page together with its data, which is therefore visible before any script runs. It is read as the signed-in
 * member, by the API's own operations and scopes, and put where the page's requests would put it.
 */
export async function PageData({ read, children }: PageDataProps) {
  const session = await pageSession();
  const api = apiFor(session === null ? null : actorOfSession(session));
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, waitMsMax);
  await Promise.race([read(queries, api).catch(() => {}), late.promise]);
  clearTimeout(timer);
  const answers = queries
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.status === "success")
    .map(({ queryKey, state }) => ({ queryKey, data: state.data, updatedAt: state.dataUpdatedAt }));
  return (
    <PageAnswers answers={answers}>{typeof children === "function" ? children(queries, api) : children}</PageAnswers>
  );
}

const caller = { ip: null, userAgent: null, header: () => null };

/** Calls API operations in this process. Without a signed-in user, every call fails. */
function apiFor(actor: ReturnType<typeof actorOfSession> | null): Api {
  const call = async (name: string, { params = {}, query = {} }: PageCall = {}): Promise<unknown> => {
    const known = operations[name];
    if (actor === null) throw new Error("Nobody is signed in");
    if (known === undefined) throw new Error(`${name} is not read while a page is rendered`);
    const given = { params, query: textsOf(query) };
    const { text, isCut } = await callOperation(known, given, { actor, caller }, charactersMax);
    if (isCut) throw new Error(`${name} answers with too much for a page`);
    return JSON.parse(text);
  };
  return { call, callList: call } as unknown as Api;
}

interface PageCall {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** The parameters as a URL has them, without empty ones. */
function textsOf(query: NonNullable<PageCall["query"]>): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

export type SearchParams = Promise<Readonly<Record<string, string | string[] | undefined>>>;

/** Reads the page's URL as the page does: the first of several values. */
export async function readerOf(searchParams: SearchParams): Promise<(name: string) => string | undefined> {
  const values = await searchParams;
  return (name) => [values[name]].flat()[0];
}
