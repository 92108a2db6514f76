"use client";

import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { FormDialog, LinesField } from "#components/dialog/form-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { FlowSelect } from "#components/flows/flow-select.tsx";
import type { AlertKind, ShownAlertRule } from "#lib/contract/alerts.ts";
import { alertKinds, windows } from "./alerts.ts";

const kinds = Object.entries(alertKinds).map(([value, { label }]) => ({ value, label }));
const quiets = [{ value: "0", label: "Don’t snooze" }, ...windows];

interface RuleFormProps {
  /** Edits this one; creates one if missing. */
  readonly rule?: ShownAlertRule;
  readonly onClose: () => void;
}

/** Creates or edits an alert rule. */
export function RuleForm({ rule, onClose }: RuleFormProps) {
  const { form, change, problem } = useApiForm({
    initialValues: {
      name: rule?.name ?? "",
      kind: rule?.kind ?? ("failures_in_row" as AlertKind),
      flowId: rule?.flowId ?? "",
      threshold: (rule === undefined ? 3 : rule.threshold / unitOf(rule.kind)) as number | string,
      windowMinutes: String(rule?.windowMinutes ?? 60),
      quietMinutes: String(rule?.quietMinutes ?? 60),
      emails: (rule?.emails ?? []).join("\n"),
    },
    run: (api, { name, kind, flowId, threshold, windowMinutes, quietMinutes, emails }) => {
      const body = {
        name,
        flowId: flowId === "" ? null : flowId,
        threshold: alertKinds[kind].threshold === null ? 1 : Math.round(Number(threshold) * unitOf(kind)),
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
  const { kind } = form.values;
  const words = alertKinds[kind];
  const choose = (chosen: string) => {
    const next = kinds.find(({ value }) => value === chosen)?.value as AlertKind;
    form.setValues({ kind: next, threshold: alertKinds[next].threshold?.usual ?? 1 });
  };
  return (
    <FormDialog
      title={rule === undefined ? "New alert rule" : `Edit ${rule.name}`}
      submit={rule === undefined ? "Create rule" : "Save"}
      change={change}
      problem={problem}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="Name"
        placeholder="Orders fail"
        {...form.getInputProps("name")}
        maxLength={255}
      />
      <NativeSelect
        label="Alert when"
        data={kinds}
        {...form.getInputProps("kind")}
        disabled={rule !== undefined}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <FlowSelect
        label="Flow"
        any="Every flow"
        value={form.values.flowId}
        onChange={(chosen) => form.setFieldValue("flowId", chosen ?? "")}
        error={form.errors.flowId}
      />
      {words.threshold !== null && (
        <NumberInput
          label={words.threshold.label}
          {...form.getInputProps("threshold")}
          min={1 / unitOf(kind)}
          allowDecimal={unitOf(kind) > 1}
        />
      )}
      {words.hasWindow && <NativeSelect label="Within" data={windows} {...form.getInputProps("windowMinutes")} />}
      <NativeSelect label="Snooze for" data={quiets} {...form.getInputProps("quietMinutes")} />
      <LinesField
        label="Email to"
        description="One address per line. Optional: alerts always appear here."
        {...form.getInputProps("emails")}
      />
    </FormDialog>
  );
}

function unitOf(kind: AlertKind): number {
  return alertKinds[kind].threshold?.unit ?? 1;
}
