"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { WholePageNotice } from "#components/page/whole-page-notice.tsx";

interface ErrorPageProps {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  const [part, setPart] = useState("A part of it could not be loaded.");
  const isPart = error.name === "ChunkLoadError";
  // React keeps the failure to load a part of the page: only a new page loads it again. While the server is away, that
  // would be the browser's own error.
  const reload = () =>
    fetch("").then(
      () => location.reload(),
      () => setPart("The server still does not answer."),
    );
  const reference = error.digest === undefined ? "" : ` It is in the server's log under ${error.digest}.`;
  return (
    <WholePageNotice
      title="This page could not be shown"
      text={`${isPart ? part : "Something went wrong."} Try again.${reference}`}
    >
      <Button onClick={isPart ? reload : reset}>Try again</Button>
    </WholePageNotice>
  );
}
