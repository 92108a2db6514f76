import { Button, Group, Modal, NativeSelect } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMemo } from "react";
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
  const form = useForm({ initialValues: { handle: handles[0] ?? "", target: "" } });
  const handle = form.values.handle || null;
  const targets = useMemo(() => targetsOf(draft, { source, handle }), [draft, source, handle]);
  const { id: target = "" } = targets.find(({ id }) => id === form.values.target) ?? targets[0] ?? {};
  const close = () => editor.store.setState({ connectingFrom: null });
  const submit = form.onSubmit(() => {
    if (target !== "") editor.change("Connect", connect({ source, handle, target }));
    close();
  });
  return (
    <Modal opened onClose={close} title={`Connect ${nameOf(draft.nodes, source)}`} size={400}>
      <form onSubmit={submit}>
        {handles.length > 1 && (
          <NativeSelect
            label="From output"
            {...form.getInputProps("handle")}
            data={handles.map((handle) => ({ value: handle, label: handle === "" ? "default output" : handle }))}
            mb="sm"
          />
        )}
        <NativeSelect
          data-autofocus
          label="To node"
          {...form.getInputProps("target")}
          value={target}
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
