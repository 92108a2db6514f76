import { lazy, Suspense } from "react";

const TitledError = lazy(() => import("./titled-error.tsx"));

/** An error that begins with a config field's name, as in "ms: must be a number"; in a run's log after "Failed after 2 s: ". */
const namesField =
  /^(?:\w[\w ]+ after [\w. ]+: )?[a-z]\w*(?:\.\w+|\[\d+\])*: (?:is|are|must|needs|has|have|cannot|takes|`)/;

/**
 * A run's error. Those of earlier versions name config fields as the API does: they are shown with the fields' titles,
 * as newer ones are. Searches still find the stored words.
 */
export function ErrorText({ message }: { readonly message: string }) {
  if (!namesField.test(message)) return message;
  return (
    <Suspense fallback={message}>
      <TitledError message={message} />
    </Suspense>
  );
}
