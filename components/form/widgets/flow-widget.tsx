import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { asText } from "../as-text.ts";
import { useForm } from "../form-context.ts";
import type { WidgetProps } from "../widget.ts";

/** Another flow, chosen by its name. */
export function FlowWidget({ id, value, onChange }: WidgetProps) {
  const { readOnly } = useForm();
  const { data } = useQuery(flowQueries.names(useApi()));
  const given = asText(value);
  const known = (data?.items ?? []).map((flow) => ({ value: flow.id, label: flow.name }));
  const other = given !== "" && !known.some((flow) => flow.value === given) ? [{ value: given, label: given }] : [];
  return (
    <NativeSelect
      id={id}
      value={given}
      disabled={readOnly}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      data={[{ value: "", label: "Choose a flow" }, ...known, ...other]}
    />
  );
}
