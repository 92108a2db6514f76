import { ApiError } from "#lib/contract/client.ts";

export interface Explanation {
  readonly why: string;
  readonly todo: string;
  /** For whoever reads the server's log. */
  readonly reference: string | null;
}

const advice: Record<string, string> = {
  UNAUTHORIZED: "Your session has ended. Reload the page and sign in.",
  FORBIDDEN: "Ask an owner of the workspace for another role.",
  RATE_LIMIT_EXCEEDED: "Wait a moment, then try again.",
  INTERNAL_ERROR: "Try again; if it stays, look for the request in the server's log.",
};

/** Why a call to the API did not work, and what can be done, in a sentence each. */
export function explainFailure(error: unknown): Explanation {
  if (error instanceof Error && error.name === "FlowFileError")
    return { why: sentence(error.message), todo: "", reference: null };
  if (!(error instanceof ApiError)) {
    return { why: "The server did not answer.", todo: "Check that it is running and reachable.", reference: null };
  }
  if (error.code === "NOT_FOUND") return { why: "It does not exist, or it was deleted.", todo: "", reference: null };
  const fields =
    error.code === "VALIDATION_ERROR"
      ? Object.entries(error.details)
          .map(([field, message]) => withField(field, String(message)))
          .join("; ")
      : "";
  const why = sentence(fields === "" ? error.message : fields);
  return { why, todo: advice[error.code] ?? "", reference: error.status >= 500 ? error.requestId : null };
}

/** A message that says nothing of its field, "is required", with the field's name before it. */
export function withField(field: string, message: string): string {
  if (!/^(is|are|must|needs|has|have|cannot)\b/.test(message)) return message;
  const name = /([\p{L}\p{N}_$-]+)(?:\[\d+\])*$/u.exec(field)?.[1] ?? field;
  return `${name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()} ${message}`;
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?]$/.test(capital) ? capital : `${capital}.`;
}
