import { readBacktestRun as readBacktestRunEndpoint } from "#lib/contract/flows/backtests.ts";
import { readBacktestRun } from "#lib/flows/backtests/read-backtest.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readBacktestRunEndpoint, ({ actor, params }) =>
    readBacktestRun(actor, params.id, params.backtestId, params.executionId),
  ),
});
