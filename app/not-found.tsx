import type { Metadata } from "next";
import { LinkButton } from "#components/page/link-button.tsx";
import { WholePageNotice } from "#components/page/whole-page-notice.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <WholePageNotice title="There is no such page" text="The address may be mistyped, or what was there is gone.">
      <LinkButton href="/flows">Go to the flows</LinkButton>
    </WholePageNotice>
  );
}
