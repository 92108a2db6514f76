import { Button, Group, Modal, NativeSelect } from "@mantine/core";
import { type FormEvent, useMemo, useState } from "react";
import { useReturnedFocus } from "#components/dialog/dialog.tsx";
import { errorHandle } from "#lib/engine/outcome.ts";
import { connect, nameOf, targetsOf } from "../commands/connect.ts";
import { useEditor, useEditorState } from "../state/editor-context.ts";

/** Connects the selected node to another one without a pointer. */
export function ConnectDialog() {
  const source = useEditorState((state) => state.connectingFrom);
  return source === null ? null : <Dialog source={source} />;
}

function Dialog({ source }: { readonly source: string }) {
  useReturnedFocus();
  const editor = useEditor();
  const { level: draft, catalogue } = editor;
  const node = draft.nodes.find((candidate) => candidate.id === source);
  const own = node === undefined ? [] : (catalogue.handles(node.type, node.config) ?? []);
  const handles = [...(own.length === 0 ? [""] : own), errorHandle];
  const [handle, setHandle] = useState(handles[0] ?? "");
  const wantedTo = (target: string) => ({ source, handle: handle === "" ? null : handle, target });
  const targets = useMemo(
    () => targetsOf(draft, { source, handle: handle === "" ? null : handle }),
    [draft, source, handle],
  );
  const [chosen, setChosen] = useState("");
  const target = targets.some((candidate) => candidate.id === chosen) ? chosen : (targets[0]?.id ?? "");
  const close = () => editor.store.setState({ connectingFrom: null });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (target !== "") editor.change("Connect", connect(wantedTo(target)));
    close();
  };
  return (
    <Modal opened onClose={close} title={`Connect ${nameOf(draft.nodes, source)}`} size={400}>
      <form onSubmit={submit}>
        {handles.length > 1 && (
          <NativeSelect
            label="From output"
            value={handle}
            onChange={(event) => setHandle(event.currentTarget.value)}
            data={handles.map((handle) => ({ value: handle, label: handle === "" ? "default output" : handle }))}
            mb="sm"
          />
        )}
        <NativeSelect
          data-autofocus
          label="To node"
          value={target}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={targets.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={target === ""}>
            Connect
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
