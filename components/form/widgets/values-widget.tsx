import { TagsInput } from "@mantine/core";
import { asText } from "#components/form/field-spec.ts";
import { useForm, type WidgetProps } from "#components/form/form-context.ts";
import type { Json } from "#lib/engine/json.ts";

/** A list of plain values, each typed and confirmed with Enter or a comma. */
export function ValuesWidget({ id, spec, value, onChange }: WidgetProps) {
  const { readOnly, onLeave } = useForm();
  const given = Array.isArray(value) ? value : [];
  const read = (text: string): Json =>
    spec.item?.kind === "number" && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  return (
    <TagsInput
      id={id}
      value={given.map(asText)}
      onChange={(next) => onChange(next.length === 0 ? undefined : next.map(read))}
      onBlur={onLeave}
      readOnly={readOnly}
      splitChars={[","]}
      placeholder={given.length === 0 ? "Type and press Enter" : ""}
    />
  );
}
