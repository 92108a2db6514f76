import type { Operation, Parameter } from "./operation.ts";
import { readField, type SchemaField, type SchemaForm } from "./read-schema.ts";
import styles from "./reference.module.css";
import { InlineText } from "./words.tsx";

/** A value's fields; if it can have several forms, those of each, the first one open. */
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

/** One field: its name and type, its meaning, its limits; nested fields open below. */
function SchemaFieldRow({ field }: { readonly field: SchemaField }) {
  const { name, type, isRequired, description, facts, options, inside } = field;
  return (
    <li className={styles.field}>
      <p className={styles.fieldHead}>
        <code className={styles.fieldName}>{name}</code>
        <span className={styles.fieldType}>{type}</span>
        {isRequired && <span className={styles.required}>required</span>}
      </p>
      {description !== "" && (
        <p className={styles.fieldWords}>
          <InlineText text={description} />
        </p>
      )}
      {options.length > 0 && (
        <p className={styles.options}>
          {options.map((option) => (
            <code key={option}>{option}</code>
          ))}
        </p>
      )}
      {facts.length > 0 && <p className={styles.facts}>{facts.join(" · ")}</p>}
      {inside.length > 0 && (
        <details className={styles.inside}>
          <summary>{insideInWords(inside)}</summary>
          <SchemaForms forms={inside} />
        </details>
      )}
    </li>
  );
}

function insideInWords([first, ...others]: SchemaField["inside"]): string {
  if (others.length > 0) return `${others.length + 1} forms`;
  const count = first?.fields.length ?? 0;
  return count === 1 ? "1 field" : `${count} fields`;
}

const places = [
  { place: "path", title: "Path" },
  { place: "query", title: "Query" },
  { place: "header", title: "Headers" },
] as const;

/** The operation's parameters, besides its body. */
export function ParameterList({ operation }: { readonly operation: Operation }) {
  return places.map(({ place, title }) => {
    const own = operation.parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return null;
    return (
      <section key={place} className={styles.section} aria-labelledby={`in-${place}`}>
        <h2 id={`in-${place}`}>{title}</h2>
        <ul className={styles.fields}>
          {own.map((parameter) => (
            <SchemaFieldRow key={parameter.name} field={fieldOf(parameter)} />
          ))}
        </ul>
      </section>
    );
  });
}

function fieldOf({ name, schema, isRequired, description }: Parameter) {
  const { description: _, ...plain } = schema;
  return { ...readField({}, name, plain, isRequired), description };
}
