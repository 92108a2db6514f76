"use client";

import { Button } from "@mantine/core";
import { WholePageNotice } from "#components/page/whole-page-notice.tsx";

interface ErrorPageProps {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  // React keeps the failure to load a part of the page: only a new page loads it again.
  const retry = error.name === "ChunkLoadError" ? () => location.reload() : reset;
  const reference = error.digest === undefined ? "" : ` It is in the server's log under ${error.digest}.`;
  return (
    <WholePageNotice title="This page could not be shown" text={`Something went wrong. Try again.${reference}`}>
      <Button onClick={retry}>Try again</Button>
    </WholePageNotice>
  );
}
