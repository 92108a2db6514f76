import { Button, Group, Input, Switch, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useAccess, useChange } from "#components/api/use-api.ts";
import { changeDetails } from "#components/editor/commands/change.ts";
import { useEditor, useLevel } from "#components/editor/state/editor-context.ts";
import { CodeEditor } from "#components/form/code-editor.tsx";
import fieldStyles from "#components/form/field.module.css";
import { readJson } from "#components/form/widgets/json-widget.tsx";
import { type FlowSettings, flowLimits } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { inputSchemaProblem } from "#lib/engine/offers/flow-input.ts";
import { ownToolPrefix, toolNameFrom, toolNamePattern } from "#lib/engine/offers/tool-name.ts";

type Offer = NonNullable<FlowSettings["mcp"]>;

/** Whether assistants can use the flow as a tool, and the description that they read. */
export default function OfferFields() {
  const editor = useEditor();
  const { name: flowName, settings } = useLevel((level) => level);
  const refusal = useAccess().refusal("flows:write");
  const offer = settings.mcp ?? {};
  const change = (next: Offer, gesture?: string) => {
    const filled = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "" && value !== undefined));
    editor.change("Offer to assistants", changeDetails({ settings: { ...settings, mcp: filled } }), gesture);
  };
  const leave = () => editor.endGesture();
  const { name = "", description = "", expose = false } = offer;
  const usual = toolNameFrom(flowName);
  const isSound = name === "" || (toolNamePattern.test(name) && !name.startsWith(ownToolPrefix));
  return (
    <>
      <Switch
        label="Offer to assistants"
        description="While the flow is live, assistants connected to this workspace can run it as a tool."
        checked={expose}
        disabled={refusal !== null}
        onChange={({ currentTarget: { checked } }) => change({ ...offer, expose: checked })}
      />
      {expose && (
        <>
          <TextInput
            label="Tool name"
            description="Letters a-z, digits, _ and -."
            placeholder={usual}
            value={name}
            maxLength={64}
            disabled={refusal !== null}
            error={isSound ? undefined : `1 to 64 letters a-z, digits, _ or -, not beginning with ${ownToolPrefix}`}
            onChange={({ currentTarget: { value } }) => change({ ...offer, name: value }, "mcp-name")}
            onBlur={leave}
          />
          <Textarea
            label="What it is for"
            description="Assistants decide by this whether to use it. The flow’s description by default."
            value={description}
            maxLength={flowLimits.offerCharactersMax}
            disabled={refusal !== null}
            autosize
            minRows={2}
            maxRows={6}
            onChange={({ currentTarget: { value } }) => change({ ...offer, description: value }, "mcp-description")}
            onBlur={leave}
          />
          <InputField isReadOnly={refusal !== null} />
        </>
      )}
    </>
  );
}

const label = "Input";
const example: JsonObject = {
  type: "object",
  properties: { article: { type: "string", description: "The article's number" } },
  required: ["article"],
};

/** Why the text is not a valid schema; null if it is, or is empty. */
function problemOf({ value, problem }: ReturnType<typeof readJson>): string | null {
  if (problem !== null) return `Not valid JSON: ${problem}`;
  if (value === undefined) return null;
  if (!isJsonObject(value)) return "The input must be a JSON Schema: an object in braces.";
  const found = inputSchemaProblem(value);
  return found === null ? null : `The input ${found}.`;
}

/** The input that assistants must provide, as a JSON Schema. While the text is invalid, the last valid schema stays. */
function InputField({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const editor = useEditor();
  const { settings } = useLevel((level) => level);
  const written = settings.input === undefined ? "" : JSON.stringify(settings.input, null, 2);
  const [typed, setTyped] = useState<{ readonly text: string; readonly written: string } | null>(null);
  // Keeps the typed text until the schema changes from elsewhere.
  const text = typed?.written === written ? typed.text : written;
  const problem = problemOf(readJson(text));
  const set = (input: JsonObject | undefined, gesture?: string) => {
    const { input: _, ...rest } = settings;
    const next = input === undefined ? rest : { ...rest, input };
    editor.change("Change the input", changeDetails({ settings: next }), gesture);
    return input === undefined ? "" : JSON.stringify(input, null, 2);
  };
  const write = (next: string) => {
    const read = readJson(next);
    const isSound = problemOf(read) === null;
    const value = isJsonObject(read.value) ? read.value : undefined;
    setTyped({ text: next, written: isSound ? set(value, "input") : written });
  };
  const learn = useChange({
    run: (api, id: string) => api.call("readFlowTypes", { params: { id } }),
    stale: [],
    failed: "The inputs of past runs could not be read.",
    onDone: ({ trigger }) => {
      const shapes = (trigger?.properties ?? null) as Json;
      const schema = withoutNotes(isJsonObject(shapes) ? (shapes.body ?? null) : null);
      if (isJsonObject(schema) && inputSchemaProblem(schema) === null) set(schema);
      else editor.say("No past run had an object as its body yet.");
    },
  });
  return (
    <Input.Wrapper
      label={label}
      description="A JSON Schema of the arguments that assistants must give. Without it, they are shown the shape of past inputs."
    >
      <CodeEditor value={text} onChange={write} language="data" label={label} invalid={problem !== null} lines={4} />
      {problem !== null && (
        <p role="alert" className={fieldStyles.problem}>
          {problem}
        </p>
      )}
      {text.trim() === "" && !isReadOnly && (
        <Group gap={6} mt={6}>
          <Button variant="default" size="compact-sm" onClick={() => set(example)}>
            Start from an example
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            loading={learn.isPending}
            onClick={() => learn.mutate(editor.flowId)}
          >
            Infer it from past runs
          </Button>
        </Group>
      )}
    </Input.Wrapper>
  );
}

/** A learned schema without the notes on how it was learned. */
function withoutNotes(shape: Json): Json {
  if (Array.isArray(shape)) return shape.map(withoutNotes);
  if (!isJsonObject(shape)) return shape;
  const entries = Object.entries(shape).filter(([key]) => !key.startsWith("x-"));
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutNotes(value)]));
}
