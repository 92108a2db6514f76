import type { SchemaForm } from "./read-schema.ts";
import styles from "./reference.module.css";
import { SchemaFieldRow } from "./schema-field-row.tsx";

/** The fields of a value; where it can have several forms, of each, the first open. */
export function SchemaForms({ forms }: { readonly forms: readonly SchemaForm[] }) {
  const [first] = forms;
  if (first === undefined) return null;
  if (forms.length === 1) return <Fields form={first} />;
  return forms.map((form) => (
    <details key={form.name} className={styles.form} open={form === first}>
      <summary>{form.name}</summary>
      <Fields form={form} />
    </details>
  ));
}

function Fields({ form }: { readonly form: SchemaForm }) {
  return (
    <ul className={styles.fields}>
      {form.fields.map((field) => (
        <SchemaFieldRow key={field.name} field={field} />
      ))}
    </ul>
  );
}
