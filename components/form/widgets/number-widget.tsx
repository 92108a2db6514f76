import { NumberInput } from "@mantine/core";
import { useForm } from "../form-context.ts";
import type { WidgetProps } from "../widget.ts";

export function NumberWidget({ id, spec, value, onChange }: WidgetProps) {
  const { readOnly, onLeave } = useForm();
  return (
    <NumberInput
      id={id}
      value={typeof value === "number" ? value : ""}
      placeholder={spec.default === undefined ? "" : String(spec.default)}
      onChange={(next) => onChange(typeof next === "number" ? next : undefined)}
      onBlur={onLeave}
      readOnly={readOnly}
      allowDecimal={false}
      hideControls
    />
  );
}
