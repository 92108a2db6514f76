"use client";
import { createContext, lazy, memo, type ReactNode, Suspense, useContext, useEffect, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import type { BarProps } from "./presence-bar.tsx";
import type { PresenceLink } from "./presence-link.ts";

// Not urgent: loaded after the page.
const Bar = lazy(() => import("./presence-bar.tsx"));
const Layer = lazy(() => import("./presence-layer.tsx"));

const PresenceContext = createContext<PresenceLink | null>(null);

interface PresenceProps {
  readonly flowId: string;
  readonly children: ReactNode;
}

/** Makes this tab present in a flow for as long as it is mounted. */
export function Presence({ flowId, children }: PresenceProps) {
  const api = useApi();
  const [link, setLink] = useState<PresenceLink | null>(null);
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isGone = false;
    // Without the file, only presence is missing.
    import("./presence-link.ts").then(
      ({ PresenceLink }) => {
        if (isGone) return;
        const made = new PresenceLink(api, flowId);
        made.start();
        stop = () => made.stop();
        setLink(made);
      },
      () => {},
    );
    return () => {
      isGone = true;
      stop?.();
      setLink(null);
    };
  }, [api, flowId]);
  return <PresenceContext value={link}>{children}</PresenceContext>;
}

/** Null until it is loaded. */
export function usePresence(): PresenceLink | null {
  return useContext(PresenceContext);
}

/** Who else is in the flow; nothing if nobody is. */
export function PresenceBar(props: Omit<BarProps, "link">) {
  const link = usePresence();
  return link === null ? null : (
    <Suspense>
      <Bar link={link} {...props} />
    </Suspense>
  );
}

/** Others' selections, on the surrounding canvas. */
export const PresenceLayer = memo(function PresenceLayer() {
  const link = usePresence();
  return link === null ? null : (
    <Suspense>
      <Layer link={link} />
    </Suspense>
  );
});
