import { NativeSelect } from "@mantine/core";
import { asText } from "../as-text.ts";
import { useForm } from "../form-context.ts";
import type { WidgetProps } from "../widget.ts";

export function ChoiceWidget({ id, spec, value, onChange }: WidgetProps) {
  const { readOnly } = useForm();
  const given = asText(value);
  const fallback = typeof spec.default === "string" ? spec.default : null;
  const unknown = given !== "" && !spec.options.includes(given) ? [{ value: given, label: `${given} (unknown)` }] : [];
  const unset = fallback === null ? [{ value: "", label: "Not set" }] : [];
  return (
    <NativeSelect
      id={id}
      value={given === "" ? (fallback ?? "") : given}
      disabled={readOnly}
      onChange={(event) => {
        const { value: next } = event.currentTarget;
        onChange(next === "" || next === fallback ? undefined : next);
      }}
      data={[...unset, ...spec.options.map((option) => ({ value: option, label: option })), ...unknown]}
    />
  );
}
