import { z } from "zod";

/** Shorter values cannot be masked in outputs and logs: they occur everywhere. */
export const secretCharactersMin = 4;
const charactersMax = 16_384;
const fieldsMax = 50;
/** Valid characters of a header: no control characters but the tab. */
const headerText = /^(?:\t|\P{Cc})*$/u;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

const text = (what: string) =>
  z.string(`${what} must be text`).max(charactersMax, `${what} must have at most ${charactersMax} characters`);

const secret = (what: string) =>
  text(what)
    .refine(
      (value) => value.trim().length >= secretCharactersMin,
      `${what} must have at least ${secretCharactersMin} characters: a shorter one could not be hidden in outputs and logs`,
    )
    .meta({ writeOnly: true });

const sent = (what: string) => secret(what).regex(headerText, `${what} must not contain line breaks`);

const header = (what: string) => text(what).regex(headerName, `${what} must be the name of a header`);

const seconds = z
  .int("toleranceSeconds must be a whole number")
  .min(0, "toleranceSeconds must be 0 or more")
  .max(86_400, "toleranceSeconds must be at most 86400");

/** The data of each credential type. Every value is stored as text. */
export const credentialData = {
  secret: z.object({ value: secret("value") }),
  bearer: z.object({ token: sent("token") }),
  basic: z.object({
    username: text("username")
      .min(1, "username must not be empty")
      .regex(/^[^:]*$/, "username must not contain a colon"),
    password: secret("password"),
  }),
  header: z.object({ name: header("name"), value: sent("value") }),
  query: z.object({ name: text("name").min(1, "name must not be empty"), value: secret("value") }),
  hmac: z.object({
    secret: secret("secret"),
    header: header("header").optional(),
    encoding: z.enum(["hex", "base64"], "encoding must be hex or base64").optional(),
    prefix: text("prefix").optional(),
    toleranceSeconds: seconds.optional(),
  }),
  custom: z
    .record(z.string().min(1, "a field needs a name"), secret("a field"), "data must be an object of text fields")
    .refine((data) => Object.keys(data).length > 0, "data must have at least one field")
    .refine((data) => Object.keys(data).length <= fieldsMax, `data must have at most ${fieldsMax} fields`),
} as const;

export const credentialTypes = Object.keys(credentialData) as [CredentialType, ...CredentialType[]];
export type CredentialType = keyof typeof credentialData;
