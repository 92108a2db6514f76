import { NumberInput, TagsInput, Textarea } from "@mantine/core";
import { changeDetails } from "#components/editor/commands/change.ts";
import { FormContext } from "#components/form/form-context.ts";
import { JsonText } from "#components/form/widgets/json-text.tsx";
import { flowLimits, triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { useEditor, useEditorState } from "../state/editor-context.ts";
import { PaneHead } from "./pane-head.tsx";
import styles from "./side-pane.module.css";
import { useNodeForm } from "./use-node-form.ts";

/** The flow as a whole: its description, tags, variables and run limits. */
export function FlowPanel() {
  const editor = useEditor();
  const { description, tags, variables, settings } = useEditorState((state) => state.draft);
  const form = useNodeForm(triggerSource);
  const leave = () => editor.endGesture();
  return (
    <FormContext value={form}>
      <PaneHead title="Settings" />
      <div className={`${styles.body} ${styles.stack}`} style={{ alignContent: "start" }}>
        <Textarea
          label="Description"
          value={description}
          maxLength={flowLimits.descriptionCharactersMax}
          onChange={(event) => {
            const { value } = event.currentTarget;
            editor.change("Describe the flow", changeDetails({ description: value }), "description");
          }}
          onBlur={leave}
          autosize
          minRows={2}
          maxRows={8}
        />
        <TagsInput
          label="Tags"
          value={[...tags]}
          maxTags={flowLimits.tagsMax}
          onChange={(next) =>
            editor.change(
              "Change the tags",
              changeDetails({ tags: next.map((tag) => tag.slice(0, flowLimits.tagCharactersMax)) }),
            )
          }
          placeholder={tags.length === 0 ? "Add a tag" : ""}
        />
        <div className={styles.stack} style={{ gap: 4 }}>
          <span className={styles.where}>Variables</span>
          <JsonText
            label="Variables"
            value={variables}
            onChange={(value) => {
              const next = value ?? {};
              if (isJsonObject(next))
                editor.change("Change the variables", changeDetails({ variables: next }), "variables");
            }}
          />
          <span className={styles.muted}>Expressions read them as $vars.name.</span>
        </div>
        <NumberInput
          label="Run time limit"
          description="In milliseconds, not counting time spent waiting. Default: 300,000."
          value={settings.timeoutMs ?? ""}
          onChange={(value) => {
            const { timeoutMs: _, ...rest } = settings;
            const next = typeof value === "number" && value >= 1 ? { ...rest, timeoutMs: Math.round(value) } : rest;
            editor.change("Change the time limit", changeDetails({ settings: next }), "timeoutMs");
          }}
          onBlur={leave}
          min={1}
          hideControls
        />
      </div>
    </FormContext>
  );
}
