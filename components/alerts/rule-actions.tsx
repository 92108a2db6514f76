"use client";

import { Menu } from "@mantine/core";
import { IconBell, IconBellOff, IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useAccess } from "#components/api/use-access.ts";
import type { Api } from "#components/api/use-api.ts";
import { useChange } from "#components/api/use-change.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import type { ShownAlertRule } from "#lib/contract/alerts.ts";
import { RuleForm } from "./rule-form.tsx";

export function RuleActions({ rule }: { readonly rule: ShownAlertRule }) {
  const { id, name, active } = rule;
  const [asked, ask] = useState<"edit" | "delete" | null>(null);
  const refusal = useAccess().refusal("webhooks:write");
  const disabled = refusal !== null;
  const set = { stale: ["alerts"], failed: "The rule was not changed." };
  const run = (api: Api, wanted: boolean) => api.call("updateAlertRule", { params: { id }, body: { active: wanted } });
  const back = useChange({ run, ...set });
  const toggle = useChange({
    run,
    ...set,
    done: (_, wanted) => (wanted ? `${name} watches from now on.` : `${name} is switched off.`),
    undo: (_, wanted) => back.mutate(!wanted),
  });
  const remove = useChange({
    run: (api) => api.call("deleteAlertRule", { params: { id } }),
    stale: ["alerts"],
    done: `${name} was deleted.`,
    failed: "The rule was not deleted.",
  });
  const Toggle = active ? IconBellOff : IconBell;
  return (
    <>
      <RowMenu label={`Actions for ${name}`}>
        {refusal !== null && <Menu.Label>{refusal}</Menu.Label>}
        <Menu.Item
          leftSection={<IconPencil size={16} aria-hidden="true" />}
          disabled={disabled}
          onClick={() => ask("edit")}
        >
          Edit
        </Menu.Item>
        <Menu.Item
          leftSection={<Toggle size={16} aria-hidden="true" />}
          disabled={disabled}
          onClick={() => toggle.mutate(!active)}
        >
          {active ? "Switch off" : "Switch on"}
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} aria-hidden="true" />}
          disabled={disabled}
          onClick={() => ask("delete")}
        >
          Delete
        </Menu.Item>
      </RowMenu>
      {asked === "edit" && <RuleForm rule={rule} onClose={() => ask(null)} />}
      <ConfirmDialog
        title={`Delete ${name}`}
        confirm="Delete the rule"
        keep="Keep it"
        opened={asked === "delete"}
        onClose={() => ask(null)}
        onConfirm={() => remove.mutate(undefined)}
      >
        It watches no more, and the alerts that it made go with it.
      </ConfirmDialog>
    </>
  );
}
