import { ActionIcon, Tooltip } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { type ComponentType, type ReactNode, useId, useState } from "react";
import { droppedPath, holdsPath } from "#components/json/json-rows.ts";
import { withOtherTitles } from "#lib/engine/issue-message.ts";
import type { Json } from "#lib/engine/json.ts";
import { isTemplate } from "#lib/expressions/expressions.ts";
import { CodeEditor, emptyExpression } from "./code-editor.tsx";
import styles from "./field.module.css";
import { type FieldKind, type FieldSpec, problemText } from "./field-spec.ts";
import { problemAt, useForm, type WidgetProps } from "./form-context.ts";
import { Preview } from "./preview.tsx";
import { JsonWidget } from "./widgets/json-widget.tsx";
import { ListWidget } from "./widgets/list-widget.tsx";
import { MapWidget } from "./widgets/map-widget.tsx";
import { CredentialWidget, FlowWidget } from "./widgets/name-widgets.tsx";
import { ObjectWidget } from "./widgets/object-widget.tsx";
import {
  BooleanWidget,
  ChoiceWidget,
  CodeWidget,
  NumberWidget,
  PlainWidget,
  ProgramWidget,
  TextWidget,
  ValuesWidget,
} from "./widgets/plain-widgets.tsx";
import { CronWidget, DurationWidget, MomentWidget } from "./widgets/time-widgets.tsx";
import { ZoneWidget } from "./widgets/zone-widget.tsx";

/** The widget of each kind of field. */
const widgets: Readonly<Record<FieldKind, ComponentType<WidgetProps>>> = {
  text: TextWidget,
  plain: PlainWidget,
  program: ProgramWidget,
  code: CodeWidget,
  number: NumberWidget,
  duration: DurationWidget,
  moment: MomentWidget,
  boolean: BooleanWidget,
  choice: ChoiceWidget,
  values: ValuesWidget,
  map: MapWidget,
  list: ListWidget,
  object: ObjectWidget,
  credential: CredentialWidget,
  flow: FlowWidget,
  cron: CronWidget,
  zone: ZoneWidget,
  json: JsonWidget,
};

interface FieldProps {
  readonly spec: FieldSpec;
  /** Undefined if the field is not in the config. */
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  /** Its position in the config: `headers`, `retry.maxRetries`, `cases[2].equals`. */
  readonly path: string;
}

/** Kinds whose widget handles expressions itself, or whose text is never one. */
const writtenAsText: ReadonlySet<string> = new Set([
  "text",
  "plain",
  "program",
  "code",
  "json",
  "cron",
  "zone",
  "list",
  "object",
]);

/** A field with its label, its problem, and the switch between a value and an expression. */
export function Field({ spec, value, onChange, path }: FieldProps) {
  const { problems, configSchema, readOnly, scope } = useForm();
  const id = useId();
  /** Whether an expression was begun here: one that is there already takes no focus from the card. */
  const [isBegun, begin] = useState(false);
  const isExpression = !writtenAsText.has(spec.kind) && typeof value === "string" && isTemplate(value);
  const canSwitch = !writtenAsText.has(spec.kind) && scope.evaluate !== null;
  const problem = problemAt(problems, path, spec.kind !== "list" && spec.kind !== "object");
  const Widget = widgets[spec.kind];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be typed as an expression too
    <div
      className={styles.field}
      data-field={path}
      onDragOver={(event) => {
        if (canSwitch && holdsPath(event.dataTransfer)) event.preventDefault();
      }}
      onDrop={(event) => {
        const dropped = droppedPath(event.dataTransfer);
        // A code field has already inserted it at the drop position.
        if (!canSwitch || dropped === "" || event.defaultPrevented || readOnly) return;
        event.preventDefault();
        onChange(`{{ ${dropped} }}`);
      }}
    >
      <div className={styles.head}>
        <label className={styles.label} id={`${id}-label`} htmlFor={id}>
          {spec.title}
        </label>
        {spec.required && <span className={styles.required}>required</span>}
        {spec.description !== "" && <Help text={spec.description} title={spec.title} />}
        {canSwitch && (
          <button
            type="button"
            className={styles.switch}
            aria-pressed={isExpression}
            title={isExpression ? "Use a fixed value" : "Use an expression"}
            aria-label={`fx: ${isExpression ? "use a fixed value" : "use an expression"} for ${spec.title}`}
            onClick={() => {
              begin(!isExpression);
              onChange(isExpression ? undefined : emptyExpression);
            }}
          >
            fx
          </button>
        )}
      </div>
      {isExpression ? (
        <>
          <CodeEditor
            value={value}
            onChange={onChange}
            language="template"
            label={spec.title}
            invalid={problem !== undefined}
            autoFocus={isBegun}
          />
          <Preview text={value} field="template" path={path} />
        </>
      ) : (
        <Widget id={id} spec={spec} value={value} onChange={onChange} path={path} invalid={problem !== undefined} />
      )}
      {problem !== undefined && <p className={styles.problem}>{problemText(withOtherTitles(problem, configSchema))}</p>}
    </div>
  );
}

function Help({ text, title }: { readonly text: string; readonly title: string }): ReactNode {
  return (
    <Tooltip
      label={text.replaceAll("`", "")}
      multiline
      w={280}
      position="top-start"
      events={{ hover: true, focus: true, touch: true }}
    >
      <ActionIcon variant="transparent" size={16} className={styles.help} aria-label={`About ${title}: ${text}`}>
        <IconInfoCircle size={14} />
      </ActionIcon>
    </Tooltip>
  );
}
