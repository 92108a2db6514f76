"use client";

import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { LinesField } from "#components/dialog/lines-field.tsx";
import { FlowSelect } from "#components/flows/flow-select.tsx";
import type { AlertKind, ShownAlertRule } from "#lib/contract/alerts.ts";
import { alertKinds, windows } from "./alerts.ts";

const kinds = Object.entries(alertKinds).map(([value, { label }]) => ({ value, label }));
const quiets = [{ value: "0", label: "no time" }, ...windows];
const fields = /^(name|kind|flowId|threshold|windowMinutes|quietMinutes|emails)/;

interface RuleFormProps {
  /** The one to change; without it, one is made. */
  readonly rule?: ShownAlertRule;
  readonly onClose: () => void;
}

/** Makes or changes an alert rule. */
export function RuleForm({ rule, onClose }: RuleFormProps) {
  const [name, setName] = useState(rule?.name ?? "");
  const [kind, setKind] = useState<AlertKind>(rule?.kind ?? "failures_in_row");
  const [flowId, setFlowId] = useState(rule?.flowId ?? "");
  const [threshold, setThreshold] = useState<number | string>(
    rule === undefined ? 3 : rule.threshold / unitOf(rule.kind),
  );
  const [windowMinutes, setWindow] = useState(String(rule?.windowMinutes ?? 60));
  const [quietMinutes, setQuiet] = useState(String(rule?.quietMinutes ?? 60));
  const [emails, setEmails] = useState((rule?.emails ?? []).join("\n"));
  const words = alertKinds[kind];
  const save = useChange({
    run: (api) => {
      const body = {
        name,
        flowId: flowId === "" ? null : flowId,
        threshold: words.threshold === null ? 1 : Math.round(Number(threshold) * unitOf(kind)),
        windowMinutes: Number(windowMinutes),
        quietMinutes: Number(quietMinutes),
        emails: emails.split(/[\s,;]+/).filter((email) => email !== ""),
      };
      return rule === undefined
        ? api.call("createAlertRule", { body: { ...body, kind } })
        : api.call("updateAlertRule", { params: { id: rule.id }, body });
    },
    stale: ["alerts"],
    done: rule === undefined ? "Rule created." : "Rule saved.",
    onDone: onClose,
  });
  const problems = fieldProblems(save.error, (field) => fields.test(field));
  const choose = (chosen: string) => {
    const next = kinds.find(({ value }) => value === chosen)?.value as AlertKind;
    setKind(next);
    setThreshold(alertKinds[next].threshold?.usual ?? 1);
  };
  return (
    <FormDialog
      title={rule === undefined ? "New alert rule" : `Edit ${rule.name}`}
      submit={rule === undefined ? "Create rule" : "Save"}
      change={save}
      problem={problems.rest}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="Name"
        placeholder="Orders fail"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problems.fields.name}
        maxLength={255}
      />
      <NativeSelect
        label="Alert when"
        data={kinds}
        value={kind}
        disabled={rule !== undefined}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <FlowSelect
        label="Flow"
        any="Every flow"
        value={flowId}
        onChange={(chosen) => setFlowId(chosen ?? "")}
        error={problems.fields.flowId}
      />
      {words.threshold !== null && (
        <NumberInput
          label={words.threshold.label}
          value={threshold}
          onChange={setThreshold}
          min={1 / unitOf(kind)}
          allowDecimal={unitOf(kind) > 1}
          error={problems.fields.threshold}
        />
      )}
      {words.hasWindow && (
        <NativeSelect
          label="Within"
          data={windows}
          value={windowMinutes}
          onChange={(event) => setWindow(event.currentTarget.value)}
        />
      )}
      <NativeSelect
        label="Snooze for"
        data={quiets}
        value={quietMinutes}
        onChange={(event) => setQuiet(event.currentTarget.value)}
      />
      <LinesField
        label="Email to"
        description="One address per line. Optional: alerts always appear here."
        value={emails}
        onChange={setEmails}
        problems={problems.fields}
        field="emails"
      />
    </FormDialog>
  );
}

function unitOf(kind: AlertKind): number {
  return alertKinds[kind].threshold?.unit ?? 1;
}
