import { Button } from "@mantine/core";
import type { Metadata } from "next";
import { WholePageNotice } from "#components/page/whole-page-notice.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <WholePageNotice title="Page not found" text="The URL may be mistyped, or the page may have been deleted.">
      {/* Not a Next link: every page would load a second copy of it, for this one. */}
      <Button component="a" href="/flows">
        Go to the flows
      </Button>
    </WholePageNotice>
  );
}
