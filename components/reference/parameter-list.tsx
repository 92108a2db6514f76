import type { Operation, Parameter } from "./operation.ts";
import { readField } from "./read-schema.ts";
import styles from "./reference.module.css";
import { SchemaFieldRow } from "./schema-field-row.tsx";

const places = [
  { place: "path", title: "Path" },
  { place: "query", title: "Query" },
  { place: "header", title: "Headers" },
] as const;

/** What the operation takes beside its body. */
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
