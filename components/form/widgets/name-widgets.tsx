import { Button, NativeSelect } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { kindLabel } from "#components/credentials/credential-kinds.ts";
import { credentialNames } from "#components/credentials/credential-names.ts";
import { FlowSelect } from "#components/flows/flow-select.tsx";
import { asText } from "#components/form/field-spec.ts";
import { useForm, type WidgetProps } from "#components/form/form-context.ts";
import styles from "../field.module.css";

const CredentialForm = lazy(async () => ({
  default: (await import("#components/credentials/credential-form.tsx")).CredentialForm,
}));

/** A stored credential, chosen by name, or created in place. */
export function CredentialWidget({ id, value, onChange }: WidgetProps) {
  const api = useApi();
  const { readOnly } = useForm();
  const [isMaking, setMaking] = useState(false);
  const { data, isFetching } = useQuery(credentialNames(api));
  const given = asText(value);
  const known = (data ?? []).map(({ name, type }) => ({ value: name, label: `${name} · ${kindLabel(type)}` }));
  const isListed = known.some((item) => item.value === given);
  const unlisted = { value: given, label: data === undefined || isFetching ? given : `${given} (not found)` };
  return (
    <div className={styles.pair} style={{ gridTemplateColumns: "minmax(0, 1fr) auto" }}>
      <NativeSelect
        id={id}
        value={given}
        disabled={readOnly}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
        data={[{ value: "", label: "None" }, ...known, ...(given === "" || isListed ? [] : [unlisted])]}
      />
      <Button variant="default" disabled={readOnly} onClick={() => setMaking(true)} style={{ marginTop: 0 }}>
        New
      </Button>
      {isMaking && (
        <Suspense>
          <CredentialForm onClose={() => setMaking(false)} onSaved={(name) => onChange(name)} />
        </Suspense>
      )}
    </div>
  );
}

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
