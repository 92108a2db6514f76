import { splitMessage } from "./node-error.ts";

interface FailureMessageProps {
  readonly message: string;
  readonly expression: string | null;
}

/** Why a node failed, with the expression that the message quotes set apart as code. */
export function FailureMessage({ message, expression }: FailureMessageProps) {
  const parts = splitMessage(message, expression);
  if (parts === null) return message;
  return (
    <>
      {parts.before}
      <code className="mono">{parts.code}</code>
      {parts.after}
    </>
  );
}
