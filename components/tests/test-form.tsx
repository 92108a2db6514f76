import { Checkbox, Input, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { type FieldProblems, fieldProblems } from "#components/dialog/field-problems.ts";
import { FormDialog, LinesField } from "#components/dialog/form-dialog.tsx";
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
const known = /^(name|now|trigger|recordings|expect)/;

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
  const [typed, setTyped] = useState(() => (before === undefined ? started(editor) : written(before)));
  const set = (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part }));
  const save = useChange({
    run: (api) => {
      const params = { id: editor.flowId };
      return before === undefined
        ? api.call("createFlowTest", { params, body: { ...read(typed), name: typed.name } })
        : api.call("updateFlowTest", { params: { ...params, testId: before.id }, body: changes(before, typed) });
    },
    stale: [],
    onDone: async ({ id }) => {
      onClose();
      await queries.invalidateQueries({ queryKey: testsKey(editor.flowId) });
      await runTests(session, [id]);
    },
  });
  const problems = fieldProblems(save.error, (field) => known.test(field));
  const json = (label: string, part: "trigger" | "recordings" | "output" | "nodes", description: string) => (
    <JsonField
      label={label}
      description={description}
      value={typed[part]}
      onChange={(text) => set({ [part]: text })}
      told={problemIn(problems.fields, part === "output" || part === "nodes" ? `expect.${part}` : part)}
    />
  );
  const isReadable = jsonParts.every((part) => readJson(typed[part]).problem === null);
  return (
    <FormDialog
      title={before === undefined ? "New test" : `Edit ${before.name}`}
      submit={before === undefined ? "Create test" : "Save"}
      size={640}
      change={{ isPending: save.isPending, mutate: () => isReadable && save.mutate(undefined) }}
      problem={problems.rest}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="Name"
        placeholder="Order with two items"
        value={typed.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={problems.fields.name}
        maxLength={255}
      />
      {json("Trigger", "trigger", "What starts the run: body, headers, query and method.")}
      {json("Recordings", "recordings", "Recorded results by node id: an output, an error or a sequence.")}
      <Checkbox
        label="Run sub-flows too, instead of using their recorded result"
        checked={typed.deep}
        onChange={(event) => set({ deep: event.currentTarget.checked })}
      />
      <TextInput
        label="Time"
        description="The current time, as the run sees it."
        placeholder="2026-01-31T10:00:00Z"
        value={typed.now}
        onChange={(event) => set({ now: event.currentTarget.value })}
        error={problems.fields.now}
      />
      <NativeSelect
        label="Expected status"
        data={statuses}
        value={typed.status}
        onChange={(event) => set({ status: event.currentTarget.value })}
      />
      {json("Expected output", "output", "The run's output. Leave empty to accept any.")}
      {json("Expected nodes", "nodes", "Status, output or request, by node id. Leave empty to accept any.")}
      <LinesField
        label="Ignore"
        description="Paths that may differ, one per line, such as output.items.*.id."
        value={typed.ignore}
        onChange={(event) => set({ ignore: event.currentTarget.value })}
        error={problemIn(problems.fields, "expect.ignore")}
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

/** A problem with a field, or within it, prefixed by its position. */
function problemIn(fields: FieldProblems["fields"], field: string): string | null {
  const found = Object.entries(fields).find(
    ([path]) => path.startsWith(field) && /^([.[]|$)/.test(path.slice(field.length)),
  );
  if (found === undefined) return null;
  const [path, message] = found;
  return path === field ? message : `${path.slice(field.length).replace(/^\./, "")}: ${message}`;
}

interface JsonFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** The API's validation problems. */
  readonly told: string | null;
}

function JsonField({ label, description, value, onChange, told }: JsonFieldProps) {
  const { problem: unreadable } = readJson(value);
  const problem = unreadable === null ? told : `Not valid JSON: ${unreadable}`;
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
