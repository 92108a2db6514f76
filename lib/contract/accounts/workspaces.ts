import { z } from "zod";
import { roles, tiers } from "#lib/access.ts";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { flowName } from "#lib/engine/flow.ts";

const tag = "Workspaces";

export const workspace = z
  .object({
    id: z.string().describe("Its id"),
    name: z.string().describe("Its name"),
    tier: z.enum(tiers).describe("Requests per hour for its keys"),
    /** The caller's role there; null for a key. */
    role: z.enum(roles).nullable().describe("What the member may do"),
    current: z.boolean().describe("Whether it is the one in use"),
    /** Days that runs are kept after their end, unless their flow overrides it; null: the service's default. */
    retentionDays: z.int().nullable().describe("Days that runs are kept, for flows without their own setting"),
    /** The IANA time zone in which the app shows times; null: the viewer's. */
    timezone: z.string().nullable().describe("IANA name, such as `Europe/Vienna`"),
    createdAt: timestamp.describe("When it was created"),
  })
  .meta({ id: "Workspace" });

const usage = z
  .object({
    tier: z.enum(tiers).describe("Requests per hour for its keys"),
    /** Requests by keys in the current hour; `limit` is null if there is none. */
    requests: z
      .object({
        used: z.int().describe("Requests made so far"),
        limit: z.int().nullable().describe("The hourly quota; null if requests are not counted"),
        resetAt: timestamp,
      })
      .describe("Requests by its keys in this hour"),
    retentionDays: z.int().nullable().describe("Days that the service keeps runs by default; null: forever"),
  })
  .meta({ id: "Usage" });

const name = flowName;
const retentionDays = z
  .int("retentionDays must be a whole number")
  .min(1, "retentionDays must be at least 1")
  .max(36_500, "retentionDays must be at most 36500");

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const listWorkspaces = endpoint({
  method: "GET",
  path: "/workspaces",
  tag,
  summary: "List my workspaces",
  description: "The workspaces that the signed-in person belongs to, by name; a key sees only its own.",
  scope: null,
  answer: z.array(workspace),
});

export const createWorkspace = endpoint({
  method: "POST",
  path: "/workspaces",
  tag,
  summary: "Create a workspace",
  description:
    "You become its owner, and the session switches to it. For owners of a workspace; for everybody if `SIGN_UP` is `open`.",
  scope: null,
  peopleOnly: true,
  body: z.object({ name: name.describe("Its name") }),
  bodyRequired: true,
  status: 201,
  answer: workspace,
});

export const updateWorkspace = endpoint({
  method: "PATCH",
  path: "/workspaces/:id",
  tag,
  summary: "Change the workspace",
  description:
    "The workspace of the session or key; only the fields sent change. `retentionDays` and `timezone` are reset by null.",
  scope: "members:write",
  params: idParams("workspace"),
  body: z.object({
    name: name.optional().describe("Its name"),
    retentionDays: retentionDays
      .nullish()
      .describe("Days that runs are kept, for flows without their own setting; null for the service's default"),
    timezone: z
      .string("timezone must be text")
      .refine(isTimezone, "timezone must be the name of a time zone, such as Europe/Berlin")
      .nullish()
      .describe("IANA name, such as `Europe/Vienna`"),
  }),
  answer: workspace,
});

export const readUsage = endpoint({
  method: "GET",
  path: "/usage",
  tag,
  summary: "Read the workspace's usage",
  description:
    "Its requests in this hour against its quota, and how long runs are kept. This call counts as a request.",
  scope: null,
  answer: usage,
});

export const switchWorkspace = endpoint({
  method: "POST",
  path: "/workspaces/:id/switch",
  tag,
  summary: "Switch workspaces",
  description: "For this session and for later ones.",
  scope: null,
  peopleOnly: true,
  params: idParams("workspace"),
  answer: workspace,
});

export const leaveWorkspace = endpoint({
  method: "POST",
  path: "/workspaces/:id/leave",
  tag,
  summary: "Leave a workspace",
  description: "The last owner cannot: `INVALID_STATUS`.",
  scope: null,
  peopleOnly: true,
  params: idParams("workspace"),
  shape: "empty",
});

export type WorkspaceChanges = z.output<(typeof updateWorkspace)["body"]>;
export type ShownUsage = z.input<typeof usage>;
export type ShownWorkspace = z.input<typeof workspace>;
