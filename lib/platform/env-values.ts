// The kinds of value a setting can have. A message completes the sentence that begins with the setting's name.
import { z } from "zod";

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, { error })
    .transform(Number)
    .pipe(z.number().min(min, { error }).max(max, { error }));
}

export function text(charactersMin: number, charactersMax?: number) {
  const schema = z.string().min(charactersMin, { error: `must have ${charactersMin} characters or more` });
  return charactersMax
    ? schema.max(charactersMax, { error: `must have ${charactersMax} characters or fewer` })
    : schema;
}

export function choice<const Names extends readonly [string, ...string[]]>(...names: Names) {
  const quoted = names.map((name) => `"${name}"`);
  return z.enum(names, { error: `must be ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}` });
}

export function httpUrl(error: string, only?: "origin") {
  return z.string().transform((value, context) => {
    const url = parse(value);
    const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
    if (url && isWeb && (!only || (url.href === `${url.origin}/` && !/[?#]/.test(value)))) {
      return only ? url.origin : value.replace(/\/+$/, "");
    }
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}

export const postgresUrl = z
  .string()
  .refine((value) => /^postgres(ql)?:\/\/./.test(value) && parse(value) !== undefined, {
    error: "must be an address such as postgresql://user:password@host:5432/database",
  });

export const smtpUrl = z.string().refine((value) => /^smtps?:\/\/./.test(value) && parse(value)?.hostname, {
  error: "must be an address such as smtps://user:password@mail.example.com:465",
});

function parse(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}
