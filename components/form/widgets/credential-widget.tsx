import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { asText } from "../as-text.ts";
import styles from "../field.module.css";
import { useForm } from "../form-context.ts";
import type { WidgetProps } from "../widget.ts";
import { NewCredentialDialog } from "./new-credential-dialog.tsx";

/** A stored credential, chosen by its name, or made in place. */
export function CredentialWidget({ id, value, onChange }: WidgetProps) {
  const api = useApi();
  const { readOnly } = useForm();
  const [isMaking, setMaking] = useState(false);
  const { data } = useQuery({
    queryKey: ["credentials", "names"],
    queryFn: ({ signal }) => api.callList("listCredentials", { query: { limit: 100 }, signal }),
  });
  const given = asText(value);
  const known = (data?.items ?? []).map(({ name, type }) => ({ value: name, label: `${name} · ${type}` }));
  const missing = given !== "" && data !== undefined && !known.some((item) => item.value === given);
  return (
    <div className={styles.pair} style={{ gridTemplateColumns: "minmax(0, 1fr) auto" }}>
      <NativeSelect
        id={id}
        value={given}
        disabled={readOnly}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
        data={[
          { value: "", label: "None" },
          ...known,
          ...(missing || (given !== "" && data === undefined)
            ? [{ value: given, label: missing ? `${given} (there is none)` : given }]
            : []),
        ]}
      />
      <Button variant="default" disabled={readOnly} onClick={() => setMaking(true)} style={{ marginTop: 0 }}>
        New
      </Button>
      {isMaking && <NewCredentialDialog onClose={() => setMaking(false)} onMade={(name) => onChange(name)} />}
    </div>
  );
}
