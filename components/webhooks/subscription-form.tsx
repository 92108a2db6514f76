"use client";
import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { SecretOnce } from "#components/dialog/secret-once.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { alertEvent, type EventName, eventAliases } from "#lib/contract/event-names.ts";
import type { ShownSubscription } from "#lib/contract/webhooks.ts";
import styles from "./subscription-form.module.css";

const texts: Readonly<Record<keyof typeof eventAliases, string>> = {
  started: "A run started.",
  completed: "A run completed, with its output.",
  failed: "A run failed or timed out.",
  cancelled: "A run was cancelled.",
};

/** The events to choose from, each under its first name, or its alias if that is already selected. */
export function eventChoices(chosen: readonly string[]): readonly { readonly name: string; readonly text: string }[] {
  const ofRuns = Object.entries(eventAliases).flatMap(([subject, aliases]) => {
    const names: readonly string[] = aliases;
    const taken = names.filter((name) => chosen.includes(name));
    const shown = taken.length > 0 ? taken : names.slice(0, 1);
    return shown.map((name) => ({ name, text: texts[subject as keyof typeof texts] }));
  });
  return [...ofRuns, { name: alertEvent, text: "An alert rule fired." }];
}

interface SubscriptionFormProps {
  /** Edits this one; creates one if missing. */
  readonly subscription?: ShownSubscription;
  readonly onClose: () => void;
}

/** Creates a subscription and shows its secret once, or edits one. */
export function SubscriptionForm({ subscription, onClose }: SubscriptionFormProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const { form, change, problem } = useApiForm({
    initialValues: { url: subscription?.url ?? "", events: subscription?.events ?? ["execution.failed"] },
    run: async (api, { url, events }) => {
      const body = { url: url.trim(), events: events as EventName[] };
      if (subscription !== undefined) {
        return await api.call("updateSubscription", { params: { id: subscription.id }, body });
      }
      const made = await api.call("createSubscription", { body });
      setSecret(made.secret);
      return made;
    },
    stale: ["webhooks"],
    ...(subscription && { done: "Subscription saved.", onDone: onClose }),
  });
  if (secret !== null) {
    return (
      <SecretOnce
        title="The signing secret"
        text="Copy it now: it is not shown again. The receiver uses it to verify the X-Webhook-Signature header."
        secret={secret}
        copyLabel="Copy secret"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={subscription === undefined ? "New subscription" : "Edit subscription"}
      submit={subscription === undefined ? "Subscribe" : "Save"}
      change={change}
      problem={problem}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="URL"
        description="Events are sent here as POST requests."
        placeholder="https://example.com/hooks/millrace"
        {...form.getInputProps("url")}
        inputMode="url"
        spellCheck={false}
      />
      <Checkbox.Group label="Events" {...form.getInputProps("events")}>
        <div className={styles.events}>
          {eventChoices(form.values.events).map(({ name, text }) => (
            <Checkbox key={name} size="xs" value={name} label={<code>{name}</code>} description={text} />
          ))}
        </div>
      </Checkbox.Group>
    </FormDialog>
  );
}
