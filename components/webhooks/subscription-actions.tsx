"use client";
import { IconBellOff, IconRotate, IconSend, IconTrash } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { Suspense, useState } from "react";
import { useAccess, useChange } from "#components/api/use-api.ts";
import { useDeletion } from "#components/deletion/pending-deletion.ts";
import { SecretOnce } from "#components/dialog/secret-once.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import { showToast } from "#components/toast/toast.ts";
import type { ShownSubscription } from "#lib/contract/webhooks.ts";

const secretBytes = 24;

/** A signing secret in the form that Standard Webhooks libraries take. */
function newSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

const SubscriptionForm = lazyPart(async () => ({
  default: (await import("./subscription-form.tsx")).SubscriptionForm,
}));

export function SubscriptionActions({ subscription }: { readonly subscription: ShownSubscription }) {
  const { id, url, active } = subscription;
  const [editing, setEditing] = useState(false);
  const router = useRouter();
  const refusal = useAccess().refusal("webhooks:write");
  const test = useSendTest(id);
  const switchOn = useChange({
    run: (api) => api.call("updateSubscription", { params: { id }, body: { active: true } }),
    stale: ["webhooks"],
    failed: "The subscription was not enabled.",
  });
  const switchOff = useChange({
    run: (api) => api.call("updateSubscription", { params: { id }, body: { active: false } }),
    stale: ["webhooks"],
    done: "Subscription disabled. Nothing more will be sent.",
    failed: "The subscription was not disabled.",
    undo: () => switchOn.mutate(undefined),
  });
  const replace = useChange({
    run: async (api) => {
      const secret = newSigningSecret();
      await api.call("updateSubscription", { params: { id }, body: { secret } });
      return secret;
    },
    stale: ["webhooks"],
    failed: "The secret was not replaced.",
  });
  const remove = useDeletion();
  const removeIt = () => {
    remove({
      id,
      message: `The subscription for ${url} and its deliveries are deleted.`,
      run: (api) => api.call("deleteSubscription", { params: { id }, keepalive: true }),
      stale: ["webhooks"],
      failed: "The subscription was not deleted.",
    });
    router.push("/webhooks");
  };
  const disabled = refusal !== null;
  return (
    <>
      <GuardedButton
        scope="webhooks:write"
        variant="default"
        leftSection={<IconSend size={16} aria-hidden="true" />}
        loading={test.isPending}
        onClick={() => test.mutate(undefined)}
      >
        Send a test
      </GuardedButton>
      <GuardedButton scope="webhooks:write" variant={active ? "filled" : "default"} onClick={() => setEditing(true)}>
        Edit
      </GuardedButton>
      <RowMenu
        label="More actions"
        note={refusal}
        entries={[
          { label: "Replace secret", icon: IconRotate, onChoose: () => replace.mutate(undefined), disabled },
          ...(active
            ? [{ label: "Disable", icon: IconBellOff, onChoose: () => switchOff.mutate(undefined), disabled }]
            : []),
          { label: "Delete", icon: IconTrash, onChoose: removeIt, danger: true, disabled },
        ]}
      />
      {editing && (
        <Suspense>
          <SubscriptionForm subscription={subscription} onClose={() => setEditing(false)} />
        </Suspense>
      )}
      {replace.data !== undefined && (
        <SecretOnce
          title="The new signing secret"
          text="Copy it now: it is not shown again. All deliveries from now on are signed with it."
          secret={replace.data}
          copyLabel="Copy secret"
          onClose={replace.reset}
        />
      )}
    </>
  );
}

/** Sends a test event and shows the receiver's answer. */
function useSendTest(id: string) {
  return useChange({
    run: (api) => api.call("testSubscription", { params: { id } }),
    stale: ["webhooks"],
    failed: "The test was not sent.",
    onDone: ({ status, statusCode, error }) => {
      const isDelivered = status === "delivered";
      const message = isDelivered ? `The receiver answered ${statusCode}.` : `The test did not arrive. ${error ?? ""}`;
      void showToast({ message, tone: isDelivered ? "done" : "failed" });
    },
  });
}
