import { explainFailure, withField } from "#components/page/failure-notice.tsx";
import { ApiError } from "#lib/contract/client.ts";

export interface FieldProblems {
  /** By the field's path, as the API names it: `data.token`. */
  readonly fields: Readonly<Record<string, string>>;
  /** Problems that belong to no field of the form. */
  readonly rest: string | null;
}

/** The API's problems with a form's input, field by field; `labelOf` returns the beginning of a field's message, if any. */
export function fieldProblems(
  error: Error | null,
  known: (field: string) => boolean,
  labelOf?: (field: string) => string,
): FieldProblems {
  if (error === null) return { fields: {}, rest: null };
  const { why, todo } = explainFailure(error);
  if (!(error instanceof ApiError) || error.code !== "VALIDATION_ERROR") return { fields: {}, rest: `${why} ${todo}` };
  const details = Object.entries(error.details).map(([field, message]) => [field, String(message)] as const);
  const fields = Object.fromEntries(
    details
      .filter(([field]) => known(field))
      .map(([field, message]) => [field, sentence(`${labelOf?.(field) ?? ""} ${message}`.trimStart())]),
  );
  const rest = details
    .filter(([field]) => !known(field))
    .map(([field, message]) => sentence(withField(field, message)));
  return { fields, rest: rest.length === 0 ? (details.length === 0 ? why : null) : rest.join(" ") };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
