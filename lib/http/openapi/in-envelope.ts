import { z } from "zod";
import type { Endpoint } from "#lib/contract/endpoint.ts";

const pagination = z
  .object({
    page: z.int(),
    limit: z.int(),
    total: z.int(),
    totalPages: z.int(),
    hasNext: z.boolean(),
    hasPrev: z.boolean(),
    searchedSince: z.iso.datetime().optional(),
  })
  .meta({ id: "Pagination" });

/** The whole body of an endpoint's success: its payload in the envelope, unless it stands bare. */
export function schemaInEnvelope({ shape, answer }: Endpoint): z.ZodType {
  if (shape === "bare") return answer;
  if (shape === "list") return z.object({ success: z.literal(true), data: z.array(answer), pagination });
  return z.object({ success: z.literal(true), data: answer });
}

/** An example of a payload (of a list: of one item) as it is sent. */
export function inEnvelope({ shape }: Endpoint, example: unknown): unknown {
  if (shape === "bare") return example;
  const page = { page: 1, limit: 20, total: 1, totalPages: 1, hasNext: false, hasPrev: false };
  if (shape === "list") return { success: true, data: [example], pagination: page };
  return { success: true, data: example };
}
