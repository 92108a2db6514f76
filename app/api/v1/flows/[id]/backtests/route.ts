import {
  createBacktest as createBacktestEndpoint,
  listBacktests as listBacktestsEndpoint,
} from "#lib/contract/flows/backtests.ts";
import { listBacktests } from "#lib/flows/backtests/read-backtest.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { startBacktest } from "#lib/runtime/start/start-backtest.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listBacktestsEndpoint, ({ actor, params, query }) => listBacktests(actor, params.id, query)),
  POST: route(createBacktestEndpoint, ({ actor, params, body }) => startBacktest(actor, params.id, body)),
});
