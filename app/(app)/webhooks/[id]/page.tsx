import type { Metadata } from "next";
import { SubscriptionView } from "#components/webhooks/subscription-view.tsx";

export const metadata: Metadata = { title: "Webhook" };

export default async function WebhookPage({ params }: { readonly params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <SubscriptionView id={id} />;
}
