import { lazy, Suspense } from "react";

const TitledError = lazy(() => import("./titled-error.tsx"));

/** An error that begins with a config field's name, as in "ms: must be a number"; in a run's log after "Failed after 2 s: ". */
const namesField =
  /^(?:\w[\w ]+ after [\w. ]+: )?[a-z]\w*(?:\.\w+|\[\d+\])*: (?:is|are|must|needs|has|have|cannot|takes|`)/;

export interface ErrorTextProps {
  readonly message: string;
  /** The type of the node that failed, if the page has it; else its flow and, if known, which of its nodes failed. */
  readonly type?: string | undefined;
  readonly flowId?: string;
  readonly nodeId?: string | null;
}

/**
 * A run's error. Those of earlier versions name config fields as the API does: they are shown with the fields' titles,
 * as newer ones are. Searches still find the stored words.
 */
export function ErrorText(error: ErrorTextProps) {
  const { message } = error;
  if (!namesField.test(message)) return message;
  return (
    <Suspense fallback={message}>
      <TitledError {...error} />
    </Suspense>
  );
}
