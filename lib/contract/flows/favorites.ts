import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";

/** Flows that a person may mark in a workspace. */
export const favoritesMax = 200;

const tag = "Flows";

export const addFavorite = endpoint({
  method: "PUT",
  path: "/flows/:id/favorite",
  tag,
  summary: "Mark a flow as a favorite",
  description: `For oneself: nobody else sees it. Nothing changes if it is one already. At most ${favoritesMax} in a workspace: 409 \`CONFLICT\` beyond.`,
  scope: "flows:read",
  peopleOnly: true,
  params: idParams("flow"),
  shape: "empty",
  status: 204,
  answer: z.null(),
});

export const removeFavorite = endpoint({
  method: "DELETE",
  path: "/flows/:id/favorite",
  tag,
  summary: "Remove a flow from the favorites",
  description: "One's own. Nothing changes if it is none.",
  scope: "flows:read",
  peopleOnly: true,
  params: idParams("flow"),
  shape: "empty",
  status: 204,
  answer: z.null(),
});
