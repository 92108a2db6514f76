import { z } from "zod";
import { isStorableText } from "#lib/engine/flow.ts";

const keyMax = 200;

/** The key of something that runs share: text or a number. */
export const keyField = (meta: { readonly title: string; readonly description: string }) =>
  z
    .union([z.string(), z.number()], "must be text or a number")
    .transform(String)
    .pipe(
      z
        .string()
        .min(1, "must not be empty")
        .max(keyMax, `must have at most ${keyMax} characters`)
        .refine(isStorableText, "must not contain U+0000 or half a character"),
    )
    .meta(meta);
