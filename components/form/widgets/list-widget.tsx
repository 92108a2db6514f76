import { ActionIcon, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconX } from "@tabler/icons-react";
import { useState } from "react";
import styles from "#components/form/field.module.css";
import { Field } from "#components/form/field.tsx";
import { useForm, type WidgetProps } from "#components/form/form-context.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { withField } from "./object-widget.tsx";

interface IdInputProps {
  readonly value: string;
  readonly taken: readonly string[];
  readonly onChange: (id: string) => void;
  readonly label: string;
}

const reserved: ReadonlySet<string> = new Set(["default", "error"]);

/** An id that others refer to: applied only when valid, so that typing breaks no reference. */
function IdInput({ value, taken, onChange, label }: IdInputProps) {
  const { readOnly, onLeave } = useForm();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? value;
  const problem = refuse(text, taken);
  return (
    <TextInput
      value={text}
      aria-label={label}
      readOnly={readOnly}
      maxLength={64}
      error={problem}
      onChange={(event) => {
        const { value: next } = event.currentTarget;
        setTyped(next);
        if (refuse(next, taken) === null) onChange(next);
      }}
      onBlur={() => {
        setTyped(null);
        onLeave();
      }}
      styles={{ input: { height: 26, minHeight: 26, fontFamily: "var(--font-mono)", fontSize: 12 } }}
    />
  );
}

function refuse(id: string, taken: readonly string[]): string | null {
  if (id === "") return "An id is required";
  if (taken.includes(id)) return "This id is taken";
  return reserved.has(id) ? "This id is reserved" : null;
}

/** A list of objects with their own fields: the cases of a switch. */
export function ListWidget({ spec, value, onChange, path }: WidgetProps) {
  const { readOnly } = useForm();
  const items = Array.isArray(value) ? value.map((item) => (isJsonObject(item) ? item : {})) : [];
  const fields = spec.item?.fields ?? [];
  const hasIds = fields.some((field) => field.name === "id");
  const replace = (index: number, item: JsonObject) =>
    onChange(items.map((other, place) => (place === index ? item : other)));
  const move = (from: number, to: number) => {
    const next = items.filter((_, index) => index !== from);
    next.splice(to, 0, items[from] ?? {});
    onChange(next);
  };
  return (
    <div className={styles.rows}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity; ids are being typed
        <section key={index} className={styles.item} aria-label={`${spec.title} ${index + 1}`}>
          <div className={styles.itemHead}>
            {hasIds ? (
              <IdInput
                value={idOf(item)}
                taken={items.filter((other) => other !== item).map(idOf)}
                onChange={(id) => replace(index, { ...item, id })}
                label={`Id of ${spec.title.toLowerCase()} ${index + 1}`}
              />
            ) : (
              <span>{index + 1}</span>
            )}
            <Tool
              label="Move up"
              disabled={readOnly || index === 0}
              onClick={() => move(index, index - 1)}
              icon={IconArrowUp}
            />
            <Tool
              label="Move down"
              disabled={readOnly || index === items.length - 1}
              onClick={() => move(index, index + 1)}
              icon={IconArrowDown}
            />
            <Tool
              label="Remove"
              disabled={readOnly}
              onClick={() => onChange(items.filter((_, place) => place !== index))}
              icon={IconX}
            />
          </div>
          {fields
            .filter((field) => field.name !== "id")
            .map((field) => (
              <Field
                key={field.name}
                spec={field}
                value={item[field.name]}
                path={`${path}[${index}].${field.name}`}
                onChange={(next) => replace(index, withField(item, field.name, next))}
              />
            ))}
        </section>
      ))}
      {!readOnly && (
        <button
          type="button"
          className={styles.add}
          onClick={() => onChange([...items, hasIds ? { id: freeId(items) } : {}])}
        >
          Add
        </button>
      )}
    </div>
  );
}

function Tool({
  label,
  icon: Icon,
  ...rest
}: {
  label: string;
  icon: typeof IconX;
  disabled: boolean;
  onClick: () => void;
}) {
  return (
    <ActionIcon variant="subtle" size={22} aria-label={label} title={label} {...rest}>
      <Icon size={13} />
    </ActionIcon>
  );
}

function idOf(item: JsonObject): string {
  return typeof item.id === "string" ? item.id : "";
}

function freeId(items: readonly JsonObject[]): Json {
  const taken = new Set(items.map(idOf));
  for (let count = items.length + 1; ; count += 1) if (!taken.has(`case-${count}`)) return `case-${count}`;
}
