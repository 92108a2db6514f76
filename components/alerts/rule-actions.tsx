"use client";

import { IconBell, IconBellOff, IconPencil, IconTrash } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { type Api, useAccess, useChange } from "#components/api/use-api.ts";
import { useDeletion } from "#components/deletion/pending-deletion.ts";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import type { ShownAlertRule } from "#lib/contract/alerts.ts";

const RuleForm = lazyPart(async () => ({ default: (await import("./rule-form.tsx")).RuleForm }));

export function RuleActions({ rule }: { readonly rule: ShownAlertRule }) {
  const { id, name, active } = rule;
  const [editing, setEditing] = useState(false);
  const refusal = useAccess().refusal("webhooks:write");
  const disabled = refusal !== null;
  const set = { stale: ["alerts"], failed: "The rule was not changed." };
  const run = (api: Api, active: boolean) => api.call("updateAlertRule", { params: { id }, body: { active } });
  const back = useChange({ run, ...set });
  const toggle = useChange({
    run,
    ...set,
    done: (_, active) => (active ? `${name} is enabled.` : `${name} is disabled.`),
    undo: (_, active) => back.mutate(!active),
  });
  const remove = useDeletion();
  return (
    <>
      <RowMenu
        label={`Actions for ${name}`}
        note={refusal}
        entries={[
          { label: "Edit", icon: IconPencil, onChoose: () => setEditing(true), disabled },
          {
            label: active ? "Disable" : "Enable",
            icon: active ? IconBellOff : IconBell,
            onChoose: () => toggle.mutate(!active),
            disabled,
          },
          { label: "Delete", icon: IconTrash, onChoose: () => remove(deletionOf(rule)), danger: true, disabled },
        ]}
      />
      {editing && (
        <Suspense>
          <RuleForm rule={rule} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  );
}

function deletionOf({ id, name }: ShownAlertRule) {
  return {
    id,
    message: `${name} and its alerts are deleted.`,
    run: (api: Api) => api.call("deleteAlertRule", { params: { id }, keepalive: true }),
    stale: ["alerts"],
    failed: "The rule was not deleted.",
  };
}
