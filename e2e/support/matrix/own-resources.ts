// One of everything that an operation can name, in a separate workspace: what others must not reach.
import { randomBytes } from "node:crypto";
import { type Scope, scopes } from "#lib/access.ts";
import { hashOfKey, newApiKey, shownPrefix } from "#lib/auth/api-keys.ts";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { newId } from "#lib/platform/ids.ts";
import { call } from "../api-client.ts";
import { type Browser, newPerson, newWorkspaceId, type Person, signedIn, sql } from "../people.ts";

interface KeyOptions {
  readonly scopes?: readonly Scope[];
  readonly revoked?: boolean;
  readonly expired?: boolean;
}

/** A key of this workspace, inserted into the database. */
export async function newKey(workspaceId: string, options: KeyOptions = {}): Promise<string> {
  const key = newApiKey();
  await sql(
    `INSERT INTO api_key (id, workspace_id, name, hash, prefix, scopes, revoked_at, expires_at)
     VALUES ($1, $2, 'Matrix', $3, $4, $5, CASE WHEN $6 THEN now() END, CASE WHEN $7 THEN now() - interval '1 hour' END)`,
    [
      newId("key"),
      workspaceId,
      hashOfKey(key),
      shownPrefix(key),
      [...(options.scopes ?? scopes)],
      options.revoked === true,
      options.expired === true,
    ],
  );
  return key;
}

/** A workspace with a signed-in owner, and a key with all scopes. */
export interface Tenant {
  readonly workspaceId: string;
  readonly key: string;
  readonly owner: Browser;
  readonly person: Person;
}

export async function newTenant(name: string): Promise<Tenant> {
  const workspaceId = await newWorkspaceId(name);
  const person = await newPerson({ [workspaceId]: "owner" });
  return { workspaceId, key: await newKey(workspaceId), owner: await signedIn(person), person };
}

/** Ids by the part of a path that precedes them: `/flows/:id`. */
export type IdsByPath = Readonly<Record<string, string>>;

/** Creates one of everything in the tenant's workspace. */
export async function createOneOfEach({ workspaceId, key, owner }: Tenant): Promise<IdsByPath> {
  const make = async (method: string, path: string, body: object): Promise<string> => {
    const answer = await call<{ id: string; executionId: string }>(method, path, body, { key });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data.executionId ?? answer.data.id;
  };
  const nodes = [{ id: "t", type: "transform", config: { transform: "{{ $trigger.body }}" } }];
  const flow = await make("POST", "/flows", { name: "Ours", trigger: { type: "webhook" }, nodes });
  const draft = await call(
    "PUT",
    `/flows/${flow}/draft`,
    { definition: { trigger: { type: "webhook" }, nodes } },
    { key },
  );
  if (draft.status !== 200) throw new Error(draft.text);
  const backtest = await call<{ backtestId: string }>("POST", `/flows/${flow}/backtests`, {}, { key });
  if (backtest.status !== 202) throw new Error(backtest.text);
  const subscription = await make("POST", "/webhooks", {
    url: "http://127.0.0.1:9999/ours",
    events: ["execution.failed"],
    active: false,
  });
  const table = await make("POST", "/tables", {
    name: "ours",
    columns: [
      { name: "email", type: "text", unique: true },
      { name: "orders", type: "number" },
    ],
  });
  const file = await call<{ file: string }>("POST", "/files?name=ours.txt", "ours", { key });
  if (file.status !== 201) throw new Error(file.text);
  const service = await make("POST", "/services", {
    name: "Ours",
    document: { openapi: "3.0.0", paths: { "/ours": { get: { operationId: "ours", responses: {} } } } },
  });
  const sessions = await owner.api<{ id: string }[]>("GET", "/account/sessions");
  return {
    "/flows/:id": flow,
    "/flows/:id/versions/:version": "1",
    "/flows/:id/tests/:testId": await make("POST", `/flows/${flow}/tests`, { name: "Ours" }),
    "/flows/:id/backtests/:backtestId": backtest.data.backtestId,
    "/flows/:id/backtests/:backtestId/runs/:executionId": newId("execution"),
    "/executions/:id": await make("POST", `/flows/${flow}/execute`, { data: { ours: true }, async: false }),
    "/executions/:id/nodes/:nodeId": "t",
    "/executions/:id/nodes/:nodeId/iterations/:iteration": "0",
    "/webhooks/:id": subscription,
    "/webhooks/:id/deliveries/:deliveryId": await make("POST", `/webhooks/${subscription}/test`, {}),
    "/credentials/:id": await make("POST", "/credentials", {
      name: "ours",
      type: "secret",
      data: { value: randomBytes(12).toString("hex") },
    }),
    "/api-keys/:id": await make("POST", "/api-keys", { name: "Ours", scopes: ["flows:read"] }),
    "/members/:id": (await newPerson({ [workspaceId]: "viewer" })).id,
    "/invitations/:id": await make("POST", "/invitations", { email: "ours@example.com", role: "viewer" }),
    "/workspaces/:id": workspaceId,
    "/account/sessions/:id": sessions.data[0]?.id ?? "",
    "/account/providers/:id": "github",
    "/account/saved-filters/:id": (
      await owner.api<{ id: string }>("POST", "/account/saved-filters", { name: "Ours", filter: { status: "failed" } })
    ).data.id,
    "/tables/:id": table,
    "/files/:id": file.data.file,
    "/services/:id": service,
    "/services/:id/operations/:operationId": "ours",
    "/templates/:id": "form-to-crm",
    "/tables/:id/rows/:rowId": await make("POST", `/tables/${table}/rows`, { email: "ours@example.com" }),
    "/alert-rules/:id": await make("POST", "/alert-rules", { name: "Ours", kind: "failures_in_row" }),
  };
}

/** Well-formed ids of missing resources. */
export const missingThings: IdsByPath = {
  "/flows/:id": newId("flow"),
  "/flows/:id/versions/:version": "99",
  "/flows/:id/tests/:testId": newId("flowTest"),
  "/flows/:id/backtests/:backtestId": newId("backtest"),
  "/flows/:id/backtests/:backtestId/runs/:executionId": newId("execution"),
  "/executions/:id": newId("execution"),
  "/executions/:id/nodes/:nodeId": "none",
  "/executions/:id/nodes/:nodeId/iterations/:iteration": "99",
  "/webhooks/:id": newId("subscription"),
  "/webhooks/:id/deliveries/:deliveryId": newId("delivery"),
  "/credentials/:id": newId("credential"),
  "/api-keys/:id": newId("key"),
  "/members/:id": newId("user"),
  "/invitations/:id": newId("invitation"),
  "/workspaces/:id": newId("workspace"),
  "/account/sessions/:id": newId("session"),
  "/account/providers/:id": "google",
  "/account/saved-filters/:id": newId("savedFilter"),
  "/tables/:id": newId("table"),
  "/files/:id": newId("file"),
  "/services/:id": newId("service"),
  "/services/:id/operations/:operationId": "none",
  "/templates/:id": "none",
  "/tables/:id/rows/:rowId": newId("tableRow"),
  "/alert-rules/:id": newId("alertRule"),
};

/** The operation's path with these ids. Throws for one that is missing in the table: a new kind needs a row. */
export function pathWith({ path }: Pick<Endpoint, "path">, ids: IdsByPath): string {
  const steps = path.split("/");
  return steps
    .map((step, index) => {
      if (!step.startsWith(":")) return step;
      const prefix = steps.slice(0, index + 1).join("/");
      const id = ids[prefix];
      if (id === undefined) throw new Error(`${prefix} stands for nothing in the table of things`);
      return id;
    })
    .join("/");
}

/** Everything stored of a workspace, except what changes by use. */
export async function snapshotOf(workspaceId: string): Promise<string> {
  const parts = [
    "SELECT * FROM flow WHERE workspace_id = $1 ORDER BY id",
    "SELECT v.* FROM flow_version v JOIN flow f ON f.id = v.flow_id WHERE f.workspace_id = $1 ORDER BY 1, 2",
    "SELECT d.* FROM flow_draft d JOIN flow f ON f.id = d.flow_id WHERE f.workspace_id = $1 ORDER BY 1",
    "SELECT t.id, t.name, t.data, t.version FROM flow_test t JOIN flow f ON f.id = t.flow_id WHERE f.workspace_id = $1 ORDER BY 1",
    "SELECT id, status, flow_id FROM execution WHERE workspace_id = $1 ORDER BY id",
    "SELECT * FROM credential WHERE workspace_id = $1 ORDER BY id",
    "SELECT id, name, hash, scopes, revoked_at, previous_hash FROM api_key WHERE workspace_id = $1 ORDER BY id",
    "SELECT id, url, events, active, updated_at FROM webhook_subscription WHERE workspace_id = $1 ORDER BY id",
    "SELECT * FROM data_table WHERE workspace_id = $1 ORDER BY id",
    "SELECT r.* FROM table_row r JOIN data_table t ON t.id = r.table_id WHERE t.workspace_id = $1 ORDER BY r.id",
    "SELECT * FROM service WHERE workspace_id = $1 ORDER BY id",
    // Any body is a file: permitted callers created one, without a name.
    "SELECT id, name, size, state, sha256 FROM file WHERE workspace_id = $1 AND name <> 'file' ORDER BY id",
    "SELECT * FROM membership WHERE workspace_id = $1 ORDER BY user_id",
    "SELECT * FROM invitation WHERE workspace_id = $1 ORDER BY id",
    "SELECT * FROM workspace WHERE id = $1",
    "SELECT s.id, s.workspace_id FROM session s JOIN membership m ON m.user_id = s.user_id WHERE m.workspace_id = $1 ORDER BY 1",
  ];
  const rows: unknown[] = [];
  for (const part of parts) rows.push(await sql(part, [workspaceId]));
  return JSON.stringify(rows);
}
