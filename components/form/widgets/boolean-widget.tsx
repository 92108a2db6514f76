import { Switch } from "@mantine/core";
import { useForm } from "../form-context.ts";
import type { WidgetProps } from "../widget.ts";

export function BooleanWidget({ id, spec, value, onChange }: WidgetProps) {
  const { readOnly } = useForm();
  const checked = typeof value === "boolean" ? value : spec.default === true;
  return (
    <Switch
      id={id}
      checked={checked}
      disabled={readOnly}
      onChange={(event) =>
        onChange(event.currentTarget.checked === (spec.default === true) ? undefined : event.currentTarget.checked)
      }
      size="sm"
    />
  );
}
