import { z } from "zod";
import { choiceMeta, credentialMeta, durationMeta, fewNames, mapNamesMax } from "../config-fields.ts";
import { retryPolicy } from "../retries/retry-policy.ts";
import { pagination } from "./pagination.ts";
import { bodyTypes } from "./request.ts";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const httpRequestConfig = z.object({
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]).default("GET").meta({
    title: "Method",
    description: "The HTTP method; GET by default.",
  }),
  url: z
    .string()
    .min(1)
    .meta({
      title: "URL",
      description: "The complete URL, starting with http:// or https://, without user name and password.",
      examples: ["https://api.example.com/orders"],
    }),
  query: fewNames(z.record(z.string(), z.union([scalar, z.array(scalar).max(mapNamesMax)])))
    .default({})
    .meta({
      title: "Query",
      description: "Parameters added to the URL. A list repeats its name; null omits it. None by default.",
    }),
  headers: fewNames(z.record(z.string(), scalar)).default({}).meta({
    title: "Headers",
    description:
      "Headers to send; null omits one. None by default. Headers that frame or route the message (such as Host, Content-Length or Connection) cannot be set.",
  }),
  credential: z
    .string()
    .optional()
    .meta(
      credentialMeta({
        title: "Credential",
        description:
          "Name of a stored credential of type bearer, basic, header or query. It takes precedence over a header with the same name.",
      }),
    ),
  body: z.unknown().optional().meta({
    title: "Body",
    description: "Any JSON value. A string is sent as it is; null sends none. GET and HEAD never send one.",
  }),
  bodyType: z
    .enum(bodyTypes)
    .optional()
    .meta(
      choiceMeta(
        {
          title: "Body type",
          description:
            "How the body is written, and its Content-Type unless a header sets one: `json`, `form` (URL-encoded), `text`, `multipart` (a form whose values may be files) or `file` (the bytes of the file that the body refers to). Default: text for a string, json for everything else.",
        },
        {
          "": "Chosen by the body",
          json: "JSON",
          form: "Form (URL-encoded)",
          text: "Text",
          multipart: "Form with files",
          file: "File",
        },
      ),
    ),
  responseType: z
    .enum(["auto", "file"], "must be auto or file")
    .default("auto")
    .meta(
      choiceMeta(
        {
          title: "Response type",
          description:
            "`auto` reads the response's body (up to 5 MiB). `file` stores it as it arrives and returns its reference.",
        },
        { auto: "Read the body", file: "Store the body as a file" },
      ),
    ),
  pagination: pagination.optional().meta({
    title: "Pagination",
    description:
      "Requests page after page and returns all items as the body: by the `next` URL, a `cursor`, `page` numbers or an `offset`.",
  }),
  timeout: z
    .int()
    .min(1)
    .max(300_000)
    .default(30_000)
    .meta(
      durationMeta({
        title: "Time limit",
        description: "Milliseconds for one attempt, redirects and body included: 1 to 300,000, 30,000 by default.",
      }),
    ),
  retry: retryPolicy.prefault({}).meta({
    title: "Retry",
    description:
      "Retries temporary failures: no response, a timeout, or certain statuses. By default there are no retries.",
  }),
  failOnStatus: z.boolean().default(true).meta({
    title: "Fail on error status",
    description:
      "Whether a status of 400 or above fails the node; true by default. If false, it is a response like any other.",
  }),
  followRedirects: z.boolean().default(true).meta({
    title: "Follow redirects",
    description:
      "Whether up to 5 redirects are followed; true by default. Authorization, Cookie and the credential are dropped when one leads to another origin.",
  }),
});

export type HttpRequestConfig = z.output<typeof httpRequestConfig>;
