import { InputDialog } from "#components/executions/input-dialog.tsx";
import { sampleId } from "#components/executions/run-input.ts";
import { useEarlierInputs } from "#components/executions/use-earlier-inputs.ts";
import { changeCanvas } from "../commands/change-canvas.ts";
import { nameOf } from "../commands/connect.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { runFlow } from "./run-flow.ts";

interface RunDialogProps {
  readonly onClose: () => void;
  readonly untilNode: string | null;
}

/** Runs the flow that is edited, or up to one of its nodes, with a sample or with anything else. */
export function RunDialog({ onClose, untilNode }: RunDialogProps) {
  const session = useSession();
  const { editor } = session;
  const draft = useEditorState((state) => state.draft);
  const { samples } = canvasOf(draft);
  const earlier = useEarlierInputs(editor.flowId);
  const others = (name: string) => samples.filter((sample) => sample.name !== name);
  return (
    <InputDialog
      title={untilNode === null ? `Run ${draft.name}` : `Run to ${nameOf(draft.nodes, untilNode)}`}
      inputs={[...samples.map(({ name, data }) => ({ id: sampleId(name), label: name, data })), ...earlier]}
      onRun={(data) => {
        onClose();
        void runFlow(session, data, untilNode);
      }}
      onClose={onClose}
      samples={{
        save: (name, data) =>
          editor.change("Save a sample", changeCanvas({ samples: [{ name, data }, ...others(name)] })),
        remove: (name) => editor.change("Remove a sample", changeCanvas({ samples: others(name) })),
      }}
    />
  );
}
