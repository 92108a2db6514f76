import { asText } from "../as-text.ts";
import { CodeEditor } from "../code-editor.tsx";
import type { WidgetProps } from "../widget.ts";

export function CodeWidget({ spec, value, onChange, invalid }: WidgetProps) {
  const change = (text: string) => onChange(text === "" ? undefined : text);
  return (
    <CodeEditor
      value={asText(value)}
      onChange={change}
      language="code"
      label={spec.title}
      invalid={invalid}
      lines={8}
    />
  );
}
