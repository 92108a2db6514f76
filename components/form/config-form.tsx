import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import styles from "./field.module.css";
import { Field } from "./field.tsx";
import { type FieldSpec, readFields } from "./field-spec.ts";
import { useOnce, withField } from "./widgets/object-widget.tsx";

interface ConfigFormProps {
  readonly schema: unknown;
  readonly config: JsonObject;
  /** `path`: the changed field. */
  readonly onChange: (config: JsonObject, path: string) => void;
}

/** The config fields that every node has besides its own. */
const common: ReadonlySet<string> = new Set(["onError", "notes"]);
const fewFields = 4;

/**
 * A form for a config, generated from its JSON Schema: important fields first, the rest behind a click, common fields
 * last.
 */
export function ConfigForm({ schema, config, onChange }: ConfigFormProps) {
  const all = readFields(schema);
  const own = all.filter((field) => !common.has(field.name));
  const isMinor = (field: FieldSpec) => own.length > fewFields && !field.required && isTuning(field);
  const field = (spec: FieldSpec) => (
    <Field
      key={spec.name}
      spec={spec}
      value={config[spec.name]}
      path={spec.name}
      onChange={(value) => onChange(withField(config, spec.name, value), spec.name)}
    />
  );
  const minor = own.filter(isMinor);
  const last = all.filter((spec) => common.has(spec.name));
  return (
    <div className={styles.fields}>
      {own.filter((spec) => !isMinor(spec)).map(field)}
      {minor.length > 0 && <More label="More options" fields={minor} config={config} render={field} />}
      {last.length > 0 && <More label="Error handling & notes" fields={last} config={config} render={field} />}
    </div>
  );
}

/** Fields that work well with their defaults. */
function isTuning({ kind, default: fallback }: FieldSpec): boolean {
  return (
    kind === "number" ||
    kind === "duration" ||
    kind === "boolean" ||
    kind === "object" ||
    (kind === "choice" && fallback === undefined)
  );
}

interface MoreProps {
  readonly label: string;
  readonly fields: readonly FieldSpec[];
  readonly config: JsonObject;
  readonly render: (spec: FieldSpec) => React.ReactNode;
}

function More({ label, fields, config, render }: MoreProps) {
  const set = fields.filter((spec) => isSet(config[spec.name])).length;
  const isOpen = useOnce(set > 0);
  return (
    <details className={styles.more} open={isOpen}>
      <summary>
        {label}
        {set > 0 && ` (${set} set)`}
      </summary>
      <div className={styles.fields}>{fields.map(render)}</div>
    </details>
  );
}

function isSet(value: unknown): boolean {
  return value !== undefined && !(isJsonObject(value) && Object.keys(value).length === 0);
}
