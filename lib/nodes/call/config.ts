import { z } from "zod";
import { credentialMeta, fewNames } from "../config-fields.ts";
import { httpRequestConfig } from "../http-request/config.ts";

const values = (title: string, description: string, format: string) =>
  fewNames(z.record(z.string(), z.unknown(), "must be an object"))
    .default({})
    .meta({ title, description, format });

const { pagination: _, timeout, retry } = httpRequestConfig.shape;

export const callConfig = z.object({
  service: z.string("must be text").min(1, "must not be empty").meta({
    title: "Service",
    description: "The service's id, such as slack, or that of a document that you imported.",
    format: "service",
  }),
  operation: z.string("must be text").min(1, "must not be empty").meta({
    title: "Operation",
    description: "The id of the operation to call.",
    format: "operation",
  }),
  credential: z
    .string("must be a credential's name")
    .optional()
    .meta(
      credentialMeta({ title: "Credential", description: "Name of a stored credential that the service accepts." }),
    ),
  baseUrl: z.string("must be text").min(1, "must not be empty").optional().meta({
    title: "Base URL",
    description: "Your own URL of the service, if it has no common one, or to override the usual one.",
  }),
  parameters: values("Parameters", "The operation's parameters by name.", "operation-parameters"),
  body: values("Body", "The fields of the body, by name.", "operation-body"),
  allPages: z.boolean("must be true or false").optional().meta({
    title: "All pages",
    description: "For a paginated list: fetches page after page and returns all items.",
  }),
  itemsMax: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(10_000, "must be at most 10000")
    .optional()
    .meta({ title: "Maximum items", description: "With all pages: up to 10,000. Default: 1,000." }),
  timeout,
  retry,
});

export type CallConfig = z.output<typeof callConfig>;
