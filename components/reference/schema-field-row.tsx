import type { SchemaField } from "./read-schema.ts";
import styles from "./reference.module.css";
import { SchemaForms } from "./schema-forms.tsx";
import { InlineWords } from "./words.tsx";

/** One field: its name and type, what it means, its limits; what is inside of it opens below. */
export function SchemaFieldRow({ field }: { readonly field: SchemaField }) {
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
          <InlineWords text={description} />
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
