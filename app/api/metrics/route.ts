import { answerMetrics } from "#lib/http/metrics.ts";
import { serve } from "#lib/http/serve.ts";
import { readMetrics } from "#lib/runtime/upkeep/read-metrics.ts";

/** Metrics in Prometheus's text format: this process's counters, and figures from the database. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: answerMetrics(readMetrics) });
