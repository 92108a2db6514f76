import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";

const shape = z.record(z.string(), z.unknown()).meta({ id: "Shape", type: "object", additionalProperties: true });

export const readFlowTypes = endpoint({
  method: "GET",
  path: "/flows/:id/types",
  tag: "Flows",
  summary: "Read a flow's learned types",
  description:
    "Learned from ended runs of the current version, or of an earlier one for nodes that have not run since: JSON Schemas with `x-seen`, the number of values sampled, and per property `x-missing`, the number of objects that lacked it. Values are never kept. The first 100 runs of a version are sampled, then every 100th. `trigger` is null before the first run.",
  scope: "executions:read",
  params: idParams("flow"),
  answer: z.object({
    trigger: shape.nullable().describe("JSON Schema of `$trigger`; null before any run"),
    nodes: z.record(z.string(), shape).describe("JSON Schemas of outputs, by node id"),
  }),
});
