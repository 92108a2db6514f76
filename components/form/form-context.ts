import { createContext, useContext } from "react";
import type { Json } from "#lib/engine/json.ts";
import type { ExpressionScope } from "./expression-scope.ts";
import type { FieldSpec } from "./field-spec.ts";

/** What widgets need beside their own value. */
export interface FormContextValue {
  readonly scope: ExpressionScope;
  /** The problems by field path. */
  readonly problems: ReadonlyMap<string, string>;
  /** The JSON Schema of the config: problems of one field may name another, by its title there. */
  readonly configSchema?: unknown;
  readonly readOnly: boolean;
  /** Called when the user leaves a field: further typing is a new history entry. */
  readonly onLeave: () => void;
  /** Called when the user focuses a code field: `insert` writes a path at its caret. */
  readonly onCode?: (insert: (path: string) => void) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

const nothing = () => {};

export const FormContext = createContext<FormContextValue>({
  scope: { roots: [], dataId: "", nodeNames: new Map(), unread: () => null, unknown: () => null, evaluate: null },
  problems: new Map(),
  readOnly: false,
  onLeave: nothing,
  onUndo: nothing,
  onRedo: nothing,
});

/** A field's problem; for one edited as a whole, also a problem inside it, with its position. */
export function problemAt(problems: ReadonlyMap<string, string>, path: string, isWhole: boolean): string | undefined {
  const own = problems.get(path);
  if (own !== undefined || !isWhole) return own;
  for (const [place, message] of problems) {
    const rest = place.startsWith(path) ? place.slice(path.length) : "";
    if (/^[.[]/.test(rest)) return `"${rest.replace(/^\./, "")}" ${message}`;
  }
  return undefined;
}

export const useForm = (): FormContextValue => useContext(FormContext);

/** The props of every widget. */
export interface WidgetProps {
  /** The control's id, for its label. */
  readonly id: string;
  readonly spec: FieldSpec;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  readonly path: string;
  readonly invalid: boolean;
}
