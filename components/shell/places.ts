import { IconPlayerPlay, IconRoute } from "@tabler/icons-react";

/** Where the navigation leads, in its order. A place is added here when its page exists. */
export const places = [
  { label: "Flows", path: "/flows", icon: IconRoute },
  { label: "Runs", path: "/runs", icon: IconPlayerPlay },
] as const;
