// Fields of operations, with the title and description for forms and the reference.
import { z } from "zod";

/** Non-empty text. */
export const text = (title: string, description: string) =>
  z.string("must be text").min(1, "must not be empty").meta({ title, description });

/** The same with a limit: for what takes more to build than to send. */
export const shortText = (title: string, description: string, charactersMax: number) =>
  z
    .string("must be text")
    .min(1, "must not be empty")
    .max(charactersMax, `must have at most ${charactersMax} characters`)
    .meta({ title, description });

export const integer = (title: string, description: string, max?: number) => {
  const number = z.int("must be a whole number").min(0, "must be at least 0");
  return (max === undefined ? number : number.max(max, `must be at most ${max}`)).meta({ title, description });
};

export const flag = (title: string, description: string) =>
  z.boolean("must be true or false").meta({ title, description });

export const choice = <const Values extends readonly [string, ...string[]]>(
  title: string,
  description: string,
  values: Values,
) => z.enum(values, `must be one of ${values.join(", ")}`).meta({ title, description });

/** A list of texts. */
export const texts = (title: string, description: string) =>
  z.array(z.string("must be text"), "must be a list").meta({ title, description });

/** An object with any fields. */
export const object = (title: string, description: string) =>
  z.record(z.string(), z.unknown(), "must be an object").meta({ title, description });

/** A list of objects or other values. */
export const list = (title: string, description: string) =>
  z.array(z.unknown(), "must be a list").meta({ title, description });

/** A reference to a stored file. */
export const file = (title: string, description: string) =>
  z.looseObject({ file: z.string("must be a file") }, "must be a file").meta({ title, description });

/** An answer with at least these fields: services may add others at any time. */
export const answer = (fields: z.ZodRawShape) => z.looseObject(fields);

export const someText = z.string().meta({ title: "Text" });
export const someNumber = z.number().meta({ title: "Number" });
export const someFlag = z.boolean().meta({ title: "True or false" });
export const someObject = z.looseObject({});
export const nothing = z.null();
/** A list of objects with these fields. */
export const listOf = (fields: z.ZodRawShape) => z.array(z.looseObject(fields));
