import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * False on the server and while the browser takes over its markup; true from then on. For parts whose code is loaded
 * later: the data they show may have changed by the time they are taken over, and React would draw them anew.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
