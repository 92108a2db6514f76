import type { Metadata } from "next";
import { SubscriptionList } from "#components/webhooks/subscription-list.tsx";

export const metadata: Metadata = { title: "Webhooks" };

export default function WebhooksPage() {
  return <SubscriptionList />;
}
