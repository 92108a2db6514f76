import { IconBellRinging } from "@tabler/icons-react";
import { ActiveMark } from "#components/status/active-mark.tsx";

/** Whether a subscription is sent anything. */
export function SubscriptionState({ active }: { readonly active: boolean }) {
  return <ActiveMark active={active} words="Active" icon={IconBellRinging} />;
}
