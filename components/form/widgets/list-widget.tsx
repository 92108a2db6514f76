import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconX } from "@tabler/icons-react";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import styles from "../field.module.css";
import { Field } from "../field.tsx";
import { useForm } from "../form-context.ts";
import type { WidgetProps } from "../widget.ts";
import { IdInput } from "./id-input.tsx";
import { withField } from "./object-widget.tsx";

/** A list of things with fields of their own: the cases of a switch. */
export function ListWidget({ spec, value, onChange, path }: WidgetProps) {
  const { readOnly } = useForm();
  const items = Array.isArray(value) ? value.map((item) => (isJsonObject(item) ? item : {})) : [];
  const fields = spec.item?.fields ?? [];
  const hasIds = fields.some((field) => field.name === "id");
  const replace = (index: number, item: JsonObject) =>
    onChange(items.map((other, place) => (place === index ? item : other)));
  const move = (from: number, to: number) => {
    const next = items.filter((_, place) => place !== from);
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
          Add one
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
