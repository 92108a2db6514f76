import { z } from "zod";
import { roles, tierQuotas } from "#lib/access.ts";
import { flowName } from "#lib/engine/flow.ts";
import { endpoint, idParams } from "./endpoint.ts";
import { timestamp } from "./timestamp.ts";

const tag = "Workspaces";

export const workspace = z
  .object({
    id: z.string(),
    name: z.string(),
    tier: z.enum(Object.keys(tierQuotas)),
    /** One's role there; null for a key. */
    role: z.enum(roles).nullable(),
    /** The one that this session, or key, works in. */
    current: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: "Workspace" });

const name = flowName;

export const listWorkspaces = endpoint({
  method: "GET",
  path: "/workspaces",
  tag,
  summary: "List my workspaces",
  description: "Those that the person who is signed in belongs to, by name; a key sees its own.",
  scope: null,
  shape: "data",
  status: 200,
  answer: z.array(workspace),
});

export const createWorkspace = endpoint({
  method: "POST",
  path: "/workspaces",
  tag,
  summary: "Make a workspace",
  description:
    "Its maker is its owner, and the session works there from now on. For owners of a workspace; for everybody where `SIGN_UP` is `open`.",
  scope: null,
  peopleOnly: true,
  body: z.object({ name }),
  bodyRequired: true,
  shape: "data",
  status: 201,
  answer: workspace,
});

export const updateWorkspace = endpoint({
  method: "PATCH",
  path: "/workspaces/:id",
  tag,
  summary: "Rename the workspace",
  description: "The one that the session, or key, works in.",
  scope: "members:write",
  params: idParams,
  body: z.object({ name }),
  bodyRequired: true,
  shape: "data",
  status: 200,
  answer: workspace,
});

export const switchWorkspace = endpoint({
  method: "POST",
  path: "/workspaces/:id/switch",
  tag,
  summary: "Work in another workspace",
  description: "For this session, and for the sessions that begin after it.",
  scope: null,
  peopleOnly: true,
  params: idParams,
  shape: "data",
  status: 200,
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
  params: idParams,
  shape: "empty",
  status: 204,
  answer: z.null(),
});

export type ShownWorkspace = z.input<typeof workspace>;
