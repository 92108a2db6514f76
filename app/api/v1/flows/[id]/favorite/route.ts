import {
  addFavorite as addFavoriteEndpoint,
  removeFavorite as removeFavoriteEndpoint,
} from "#lib/contract/flows/favorites.ts";
import { addFavorite, removeFavorite } from "#lib/flows/list/favorites.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  PUT: route(addFavoriteEndpoint, ({ actor, params }) => addFavorite(actor, params.id)),
  DELETE: route(removeFavoriteEndpoint, ({ actor, params }) => removeFavorite(actor, params.id)),
});
