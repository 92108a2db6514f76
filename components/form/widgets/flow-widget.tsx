import { FlowSelect } from "#components/flows/flow-select.tsx";
import { asText } from "../as-text.ts";
import { useForm } from "../form-context.ts";
import type { WidgetProps } from "../widget.ts";

/** Another flow, chosen by its name. */
export function FlowWidget({ id, value, onChange }: WidgetProps) {
  const { readOnly } = useForm();
  return (
    <FlowSelect
      id={id}
      any="Choose a flow"
      value={asText(value)}
      disabled={readOnly}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}
