import { createContext } from "react";

/** What a click on a value of a tree does with the path that reaches it; null where nothing can be done with it. */
export const PickPath = createContext<((path: string) => void) | null>(null);
