import { endpoint, idParams } from "#lib/contract/endpoint.ts";

/** Flows that a person may mark in a workspace. */
export const favoritesMax = 200;

const tag = "Flows";

export const addFavorite = endpoint({
  method: "PUT",
  path: "/flows/:id/favorite",
  tag,
  summary: "Mark a flow as a favorite",
  description: `Only for you: nobody else sees it. Nothing changes if it already is one. At most ${favoritesMax} per workspace: 409 \`CONFLICT\` beyond that.`,
  scope: "flows:read",
  peopleOnly: true,
  params: idParams("flow"),
  shape: "empty",
});

export const removeFavorite = endpoint({
  method: "DELETE",
  path: "/flows/:id/favorite",
  tag,
  summary: "Remove a flow from the favorites",
  description: "Only yours. Nothing changes if it is not one.",
  scope: "flows:read",
  peopleOnly: true,
  params: idParams("flow"),
  shape: "empty",
});
