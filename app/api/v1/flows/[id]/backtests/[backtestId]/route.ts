import {
  cancelBacktest as cancelBacktestEndpoint,
  readBacktest as readBacktestEndpoint,
} from "#lib/contract/flows/backtests.ts";
import { cancelBacktest, readBacktest } from "#lib/flows/backtests/read-backtest.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readBacktestEndpoint, ({ actor, params, query }) =>
    readBacktest(actor, params.id, params.backtestId, query),
  ),
  DELETE: route(cancelBacktestEndpoint, ({ actor, params }) => cancelBacktest(actor, params.id, params.backtestId)),
});
