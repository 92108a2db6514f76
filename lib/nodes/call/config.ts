import { z } from "zod";
import { credentialWords, fewNames } from "../config-fields.ts";
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
    description: "What the service is to do: the operation's id.",
    format: "operation",
  }),
  credential: z
    .string("must be a credential's name")
    .optional()
    .meta(credentialWords({ title: "Credential", description: "Name of a stored credential that the service takes." })),
  baseUrl: z.string("must be text").min(1, "must not be empty").optional().meta({
    title: "Base URL",
    description: "Your own address of the service, where it has none for everyone, or another than the usual one.",
  }),
  parameters: values("Parameters", "The operation's parameters by name.", "operation-parameters"),
  body: values("Body", "What is sent, by name.", "operation-body"),
  allPages: z.boolean("must be true or false").optional().meta({
    title: "All pages",
    description: "Of a list that comes in pages: fetches one after another and gives all items.",
  }),
  itemsMax: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(10_000, "must be at most 10000")
    .optional()
    .meta({ title: "Most items", description: "With all pages: up to 10,000. Default: 1,000." }),
  timeout,
  retry,
});

export type CallConfig = z.output<typeof callConfig>;
