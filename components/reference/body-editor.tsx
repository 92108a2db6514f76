"use client";

import { CodeEditor } from "#components/form/code-editor.tsx";

interface BodyEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A request's JSON body. */
export default function BodyEditor(props: BodyEditorProps) {
  return <CodeEditor {...props} language="data" label="Body" lines={6} />;
}
