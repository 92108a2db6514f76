import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { answersWith } from "./errors.ts";

const tags = ["Service"];

const health = z.object({
  status: z
    .enum(["ok", "degraded", "starting", "unavailable"])
    .describe(
      "Whether requests can be served: `degraded` while some fail because of the database, `starting` until the first workspace exists",
    ),
  database: z
    .enum(["ok", "failing", "unreachable"])
    .describe("Whether the database answers; `failing` when several statements of the last minute failed"),
});
const answerOfHealth = (description: string, example: z.input<typeof health>) => ({
  description,
  content: { "application/json": { schema: health, example } },
});

/** Endpoints for operators. `/health` and `/metrics` are beside `/api/v1`, not below it. */
export function servicePaths(origin: string): ZodOpenApiPathsObject {
  const servers = [{ url: `${origin}/api` }];
  return {
    "/openapi.json": {
      get: {
        operationId: "readOpenApi",
        tags,
        summary: "Read this description",
        description: "OpenAPI 3.1, generated from the schemas that check requests and answers.",
        security: [],
        responses: {
          200: {
            description: "The document",
            content: { "application/json": { schema: z.record(z.string(), z.unknown()) } },
          },
          ...answersWith([400]),
        },
      },
    },
    "/flow-schema.json": {
      get: {
        operationId: "readFlowSchema",
        tags,
        summary: "Read the schema of flows as text",
        description: "A JSON Schema for editors, made of the node types; the first line of a flow's text names it.",
        security: [],
        responses: {
          200: {
            description: "The schema",
            content: { "application/json": { schema: z.record(z.string(), z.unknown()) } },
          },
          ...answersWith([400]),
        },
      },
    },
    "/health": {
      servers,
      get: {
        operationId: "readHealth",
        tags,
        summary: "See whether the service can work",
        description: "For load balancers; open to all.",
        security: [],
        responses: {
          200: answerOfHealth("Requests can be served, or most of them", { status: "ok", database: "ok" }),
          503: answerOfHealth("The service is starting, or cannot reach its database", {
            status: "unavailable",
            database: "unreachable",
          }),
          ...answersWith([400]),
        },
      },
    },
    "/metrics": {
      servers,
      get: {
        operationId: "readMetrics",
        tags,
        summary: "Read metrics",
        description:
          "Prometheus's text format. For `METRICS_TOKEN` as a bearer token, or whoever may read the executions of the workspace that set-up made.",
        security: [{ apiKey: ["executions:read"] }],
        responses: {
          200: {
            description: "Figures of this process, and of the database",
            content: {
              "text/plain": {
                schema: { type: "string" },
                example: 'millrace_runs_finished_total{status="completed"} 42\n',
              },
            },
          },
          ...answersWith([401, 403, 500, 503]),
        },
      },
    },
  };
}
