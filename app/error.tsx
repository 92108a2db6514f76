"use client";

import { Button } from "@mantine/core";
import { WholePageNotice } from "#components/page/whole-page-notice.tsx";

interface ErrorPageProps {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  const reference = error.digest === undefined ? "" : ` It is in the server's log under ${error.digest}.`;
  return (
    <WholePageNotice
      title="This page could not be shown"
      text={`Something went wrong. Try again, or reload the page.${reference}`}
    >
      <Button onClick={reset}>Try again</Button>
    </WholePageNotice>
  );
}
