import { type UseFormReturnType, useForm } from "@mantine/form";
import { type Api, type ChangeOptions, useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "./field-problems.ts";

interface ApiFormOptions<Values, Result, Given> extends Omit<ChangeOptions<Given, Result>, "run"> {
  readonly initialValues: Values;
  /** `given`: what `change.mutate` was called with. */
  readonly run: (api: Api, values: Values, given: Given) => Promise<Result>;
  /** Maps an API field to the form's value of another name; null for a field without one. */
  readonly placeOf?: (field: string, values: Values) => string | null;
  /** The label that a field's error begins with: "Note is required." By default it has none: "Is required." */
  readonly labelOf?: (field: string) => string;
}

/** What `useApiForm` returns: the form, its submit handler, and the error that belongs to no field. */
interface ApiForm<Values, Result, Given> {
  readonly form: UseFormReturnType<Values>;
  readonly change: ReturnType<typeof useChange<Given, Result>>;
  readonly problem: string | null;
}

/**
 * A form for an API operation. `form.getInputProps` returns an input's value and its API error, which clears on change.
 */
export function useApiForm<Values extends object, Result, Given = undefined>({
  initialValues,
  run,
  placeOf,
  labelOf,
  ...options
}: ApiFormOptions<Values, Result, Given>): ApiForm<Values, Result, Given> {
  const form = useForm<Values>({ initialValues });
  const shownAt = (field: string) => placeOf?.(field, form.getValues()) ?? placeIn(form.getValues(), field);
  const change = useChange<Given, Result>({
    ...options,
    run: async (api, given) => {
      form.clearErrors();
      try {
        return await run(api, form.getValues(), given);
      } catch (error) {
        const { fields } = fieldProblems(error as Error, (field) => shownAt(field) !== null, labelOf);
        form.setErrors(Object.fromEntries(Object.entries(fields).map(([field, text]) => [shownAt(field), text])));
        throw error;
      }
    },
  });
  const { rest } = fieldProblems(change.error, (field) => shownAt(field) !== null);
  return { form, change, problem: rest };
}

/**
 * The path of the form value that shows an API field: its own, or one that contains it (a list of URLs edited as one
 * text). Null if the form has none.
 */
export function placeIn(values: object, field: string): string | null {
  const path: string[] = [];
  let at: unknown = values;
  for (const part of field.replace(/\[(\d+)\]/g, ".$1").split(".")) {
    const inside = isParent(at) && Object.hasOwn(at, part) ? at[part] : undefined;
    // List items have their own place only if they have fields.
    if (inside === undefined || (Array.isArray(at) && !isParent(inside))) break;
    path.push(part);
    at = inside;
  }
  return path.length === 0 ? null : path.join(".");
}

function isParent(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
