import { Textarea } from "@mantine/core";
import { asText } from "../as-text.ts";
import { useForm } from "../form-context.ts";
import type { WidgetProps } from "../widget.ts";

/** Text for people: no expressions in it. */
export function PlainWidget({ id, value, onChange }: WidgetProps) {
  const { readOnly, onLeave } = useForm();
  return (
    <Textarea
      id={id}
      value={asText(value)}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      onBlur={onLeave}
      readOnly={readOnly}
      autosize
      minRows={2}
      maxRows={10}
    />
  );
}
