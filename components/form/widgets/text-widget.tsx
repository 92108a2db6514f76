import { asText } from "../as-text.ts";
import { CodeEditor, emptyExpression } from "../code-editor.tsx";
import { Preview } from "../preview.tsx";
import type { WidgetProps } from "../widget.ts";

/** Text with expressions in it; a lone `=` begins one, as in a spreadsheet. */
export function TextWidget({ spec, value, onChange, path, invalid }: WidgetProps) {
  const text = asText(value);
  const change = (typed: string) => onChange(typed === "" ? undefined : typed === "=" ? emptyExpression : typed);
  return (
    <>
      <CodeEditor value={text} onChange={change} language="template" label={spec.title} invalid={invalid} />
      <Preview text={text} field="template" path={path} />
    </>
  );
}
