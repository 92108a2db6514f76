import type { WidgetProps } from "#components/form/form-context.ts";
import { CodeEditor } from "../code-editor.tsx";
import { Preview } from "../preview.tsx";
import { JsonWidget } from "./json-widget.tsx";

/** One expression, or a function body; a config created over the API may have an object there. */
export function ProgramWidget(props: WidgetProps) {
  const { spec, value, onChange, path, invalid } = props;
  if (value !== undefined && typeof value !== "string") return <JsonWidget {...props} />;
  return (
    <>
      <CodeEditor
        value={value ?? ""}
        onChange={(text) => onChange(text === "" ? undefined : text)}
        language="program"
        label={spec.title}
        placeholder={spec.decides ? "$trigger.body.total > 100" : "$trigger.body.total"}
        invalid={invalid}
        lines={2}
      />
      <Preview text={value ?? ""} field={spec.decides ? "condition" : "expression"} path={path} />
    </>
  );
}
