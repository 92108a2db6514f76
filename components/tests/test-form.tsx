import { Checkbox, Input, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog, LinesField } from "#components/dialog/form-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { canvasOf } from "#components/editor/draft/canvas-settings.ts";
import { allPlaced } from "#components/editor/levels/level.ts";
import type { Editor } from "#components/editor/state/editor.ts";
import { useSession } from "#components/editor/state/editor-context.ts";
import { CodeEditor } from "#components/form/code-editor.tsx";
import fieldStyles from "#components/form/field.module.css";
import { readJson } from "#components/form/widgets/json-widget.tsx";
import type { FlowTestChanges, ShownFlowTest } from "#lib/contract/flows/flow-tests.ts";
import type { Json } from "#lib/engine/json.ts";
import { runTests } from "./test-runs.ts";
import { testsKey } from "./tests-query.ts";

const statuses = [
  { value: "completed", label: "Completed" },
  { value: "failed", label: "Failed" },
];
/** A test's fields as typed. */
interface Typed {
  readonly name: string;
  readonly now: string;
  readonly trigger: string;
  readonly recordings: string;
  readonly deep: boolean;
  readonly status: string;
  readonly output: string;
  readonly nodes: string;
  readonly ignore: string;
}

interface TestFormProps {
  /** Edits this one; creates one if missing. */
  readonly test?: ShownFlowTest;
  readonly onClose: () => void;
}

/** Creates or edits a test by hand, then runs it against the canvas. */
export function TestForm({ test, onClose }: TestFormProps) {
  const session = useSession();
  const { editor } = session;
  const queries = useQueryClient();
  // The state when the form opened, so that others' changes meanwhile are not reverted.
  const [before] = useState(test);
  const { form, change, problem } = useApiForm({
    initialValues: before === undefined ? started(editor) : written(before),
    run: (api, typed) => {
      const params = { id: editor.flowId };
      return before === undefined
        ? api.call("createFlowTest", { params, body: { ...read(typed), name: typed.name } })
        : api.call("updateFlowTest", { params: { ...params, testId: before.id }, body: changes(before, typed) });
    },
    placeOf: (field) => pathIn(field)?.part ?? null,
    labelOf: (field) => pathIn(field)?.within ?? "",
    stale: [],
    onDone: async ({ id }) => {
      onClose();
      await queries.invalidateQueries({ queryKey: testsKey(editor.flowId) });
      await runTests(session, [id]);
    },
  });
  const json = (label: string, part: (typeof jsonParts)[number], description: string) => (
    <JsonField label={label} description={description} {...form.getInputProps(part)} value={form.values[part]} />
  );
  const isReadable = jsonParts.every((part) => readJson(form.values[part]).problem === null);
  return (
    <FormDialog
      title={before === undefined ? "New test" : `Edit ${before.name}`}
      submit={before === undefined ? "Create test" : "Save"}
      size={640}
      change={{ isPending: change.isPending, mutate: () => isReadable && change.mutate(undefined) }}
      problem={problem}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="Name"
        placeholder="Order with two items"
        maxLength={255}
        {...form.getInputProps("name")}
      />
      {json("Trigger", "trigger", "What starts the run: body, headers, query and method.")}
      {json("Recordings", "recordings", "Recorded results by node id: an output, an error or a sequence.")}
      <Checkbox
        label="Run sub-flows too, instead of using their recorded result"
        {...form.getInputProps("deep", { type: "checkbox" })}
      />
      <TextInput
        label="Time"
        description="The current time, as the run sees it."
        placeholder="2026-01-31T10:00:00Z"
        {...form.getInputProps("now")}
      />
      <NativeSelect label="Expected status" data={statuses} {...form.getInputProps("status")} />
      {json("Expected output", "output", "The run's output. Leave empty to accept any.")}
      {json("Expected nodes", "nodes", "Status, output or request, by node id. Leave empty to accept any.")}
      <LinesField
        label="Ignore"
        description="Paths that may differ, one per line, such as output.items.*.id."
        {...form.getInputProps("ignore")}
      />
    </FormDialog>
  );
}

const jsonParts = ["trigger", "recordings", "output", "nodes"] as const;

/** A new test starts with the flow's first sample, and an empty recording for each node with outside effects. */
function started({ draft, types }: Editor): Typed {
  const effects = new Map(types.map(({ type, effect }) => [type, effect]));
  const outside = allPlaced(draft.nodes, types).filter(({ node }) => (effects.get(node.type) ?? "none") !== "none");
  const recordings = Object.fromEntries(outside.map(({ node: { id } }) => [id, { output: {} }]));
  return {
    name: "",
    now: "",
    trigger: text({ body: canvasOf(draft).samples[0]?.data ?? {} }),
    recordings: text(recordings),
    deep: false,
    status: "completed",
    output: "",
    nodes: "",
    ignore: "",
  };
}

function written({ name, now, trigger, recordings, deep, expect }: ShownFlowTest): Typed {
  const { status, output, nodes, ignore } = expect as Record<string, Json | undefined>;
  return {
    name,
    now,
    trigger: text(trigger),
    recordings: text(recordings),
    deep,
    status: String(status ?? "completed"),
    output: text(output),
    nodes: text(nodes),
    ignore: Array.isArray(ignore) ? ignore.join("\n") : "",
  };
}

function text(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}

/** As the API expects it. The API validates the values: the form accepts any JSON. */
function read({ name, now, deep, status, ignore, ...typed }: Typed): FlowTestChanges {
  const { output, nodes, trigger, recordings } = Object.fromEntries(
    jsonParts.map((part) => [part, readJson(typed[part]).value]),
  );
  const ignored = ignore.split("\n").flatMap((path) => (path.trim() === "" ? [] : [path.trim()]));
  const expect = {
    status,
    ...(output !== undefined && { output }),
    ...(nodes !== undefined && { nodes }),
    ...(ignored.length > 0 && { ignore: ignored }),
  };
  const given = { name, deep, trigger: trigger ?? {}, recordings: recordings ?? {}, expect };
  return { ...given, ...(now.trim() !== "" && { now: now.trim() }) } as FlowTestChanges;
}

const expected = ["status", "output", "nodes", "ignore"] as const;

/** Only the edited parts: others may be too large to send again, or have fields that the form does not show. */
function changes(before: ShownFlowTest, typed: Typed): FlowTestChanges {
  const was = written(before);
  const isEdited = (part: string) => typed[part as keyof Typed] !== was[part as keyof Typed];
  const { expect, ...parts } = { ...read(typed), now: typed.now.trim() };
  const edited: FlowTestChanges = Object.fromEntries(Object.entries(parts).filter(([part]) => isEdited(part)));
  if (expect === undefined || !expected.some(isEdited)) return edited;
  const { ignore } = isEdited("ignore") ? expect : (before.expect as typeof expect);
  return { ...edited, expect: { ...expect, ignore } };
}

const apiField = /^(?:expect\.)?(name|now|deep|trigger|recordings|status|output|nodes|ignore)(?:\.|(?=\[)|$)(.*)$/s;

/**
 * The form's field for an API field, and the position within it: `expect.output.items[0]` is within `output`. Null if the
 * form has none.
 */
function pathIn(field: string): { readonly part: string; readonly within: string } | null {
  const [, part, within] = apiField.exec(field) ?? [];
  return part === undefined ? null : { part, within: within ? `At ${within}:` : "" };
}

interface JsonFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** The API's validation problem. */
  readonly error?: string;
}

function JsonField({ label, description, value, onChange, error }: JsonFieldProps) {
  const { problem: unreadable } = readJson(value);
  const problem = unreadable === null ? (error ?? null) : `Not valid JSON: ${unreadable}`;
  return (
    <Input.Wrapper label={label} description={description} descriptionProps={{ mb: 4 }}>
      <CodeEditor
        value={value}
        onChange={onChange}
        language="data"
        label={label}
        invalid={problem !== null}
        lines={2}
      />
      {problem !== null && (
        <p role="alert" className={fieldStyles.problem}>
          {problem}
        </p>
      )}
    </Input.Wrapper>
  );
}
