import { Button } from "@mantine/core";
import type { Metadata } from "next";
import Link from "next/link";
import { WholePageNotice } from "#components/page/whole-page-notice.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <WholePageNotice title="There is no such page" text="The address may be mistyped, or what was there is gone.">
      <Button component={Link} href="/flows">
        Go to the flows
      </Button>
    </WholePageNotice>
  );
}
