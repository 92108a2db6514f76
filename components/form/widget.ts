import type { Json } from "#lib/engine/json.ts";
import type { FieldSpec } from "./field-spec.ts";

/** What every widget is given. */
export interface WidgetProps {
  /** Of the control, so that its label names it. */
  readonly id: string;
  readonly spec: FieldSpec;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  readonly path: string;
  readonly invalid: boolean;
}
