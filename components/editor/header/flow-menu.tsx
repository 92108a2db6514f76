import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconFileImport, IconTrash } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { type ChangeEvent, Suspense, useRef, useState } from "react";
import { useAccess } from "#components/api/use-api.ts";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { useRegain } from "#components/page/regain-focus.ts";
import { canRun } from "../actions/action.ts";
import { actionIcons } from "../actions/action-icons.ts";
import { actionOf } from "../actions/all-actions.ts";
import { pasteFile } from "../actions/paste-text.ts";
import { useSession } from "../state/editor-context.ts";

const DeleteFlowDialog = lazyPart(async () => ({
  default: (await import("#components/flows/delete-flow-dialog.tsx")).DeleteFlowDialog,
}));

const offered = ["history", "settings", "problems", "tests", "backtest", "tidy", "export", "export-yaml"];

/** Actions on the flow as a whole. */
export function FlowMenu() {
  const session = useSession();
  const input = useRef<HTMLInputElement>(null);
  const { target, regain } = useRegain();
  const router = useRouter();
  const refusal = useAccess().refusal("flows:write");
  const [deleting, setDeleting] = useState(false);
  const insert = async (event: ChangeEvent<HTMLInputElement>) => {
    const { files } = event.currentTarget;
    const [file] = files ?? [];
    event.currentTarget.value = "";
    if (file !== undefined) await pasteFile(session, file);
  };
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon ref={target} variant="default" size={32} aria-label="More about this flow">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown onClickCapture={regain}>
          {offered.map(actionOf).map((action) => {
            const Icon = actionIcons[action.id];
            return (
              <Menu.Item
                key={action.id}
                disabled={!canRun(action, session)}
                leftSection={Icon && <Icon size={16} />}
                onClick={() => void action.run(session)}
              >
                {action.label}
              </Menu.Item>
            );
          })}
          <Menu.Item leftSection={<IconFileImport size={16} />} onClick={() => input.current?.click()}>
            Insert nodes from a file
          </Menu.Item>
          <Menu.Item
            color="red"
            disabled={refusal !== null}
            leftSection={<IconTrash size={16} />}
            onClick={() => setDeleting(true)}
          >
            Delete the flow
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label="File to insert"
        onChange={(event) => void insert(event)}
      />
      {deleting && (
        <Suspense>
          <DeleteFlowDialog
            flow={{ id: session.editor.flowId, name: session.editor.draft.name }}
            onClose={() => setDeleting(false)}
            onDeleted={() => router.push("/flows")}
          />
        </Suspense>
      )}
    </>
  );
}
