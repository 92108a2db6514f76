import { IconExternalLink } from "@tabler/icons-react";
import { FlowSelect } from "#components/flows/flow-select.tsx";
import { asText } from "#components/form/field-spec.ts";
import { useForm, type WidgetProps } from "#components/form/form-context.ts";
import styles from "../field.module.css";

/** Another flow, chosen by name, with a link to it. */
export function FlowWidget({ id, value, onChange }: WidgetProps) {
  const { readOnly } = useForm();
  const flowId = asText(value);
  return (
    <>
      <FlowSelect
        id={id}
        any="Choose a flow"
        value={flowId}
        disabled={readOnly}
        onChange={(chosen) => onChange(chosen ?? undefined)}
      />
      {flowId !== "" && (
        <a className={styles.hint} href={`/flows/${encodeURIComponent(flowId)}`} target="_blank" rel="noreferrer">
          Open this flow <IconExternalLink size={12} aria-hidden="true" />
        </a>
      )}
    </>
  );
}
