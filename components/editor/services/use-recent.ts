import { useState } from "react";

/** An operation in the palette. */
export interface OfferedOperation {
  readonly service: string;
  readonly id: string;
  readonly name: string;
}

const key = "millrace-recent-operations";
const keptMax = 5;

/** The operations last added in this browser, newest first. */
export function useRecent() {
  const [recent, setRecent] = useState<readonly OfferedOperation[]>(read);
  const remember = (operation: OfferedOperation) => {
    const isOther = ({ service, id }: OfferedOperation) => service !== operation.service || id !== operation.id;
    const { service, id, name } = operation;
    const next = [{ service, id, name }, ...read().filter(isOther)].slice(0, keptMax);
    setRecent(next);
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // If storage is full or blocked, nothing is remembered.
    }
  };
  return { recent, remember };
}

function read(): readonly OfferedOperation[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isOffered).slice(0, keptMax) : [];
  } catch {
    return [];
  }
}

function isOffered(value: unknown): value is OfferedOperation {
  const { service, id, name } = (value ?? {}) as Record<string, unknown>;
  return [service, id, name].every((text) => typeof text === "string");
}
