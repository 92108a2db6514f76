"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useMemo } from "react";
import { sayFailure } from "#components/page/failure-notice.tsx";
import { showToast } from "#components/toast/toast.ts";
import { type Role, roleScopes, type Scope } from "#lib/access.ts";
import { addressOf, type CallInput, call, callList, callVersioned } from "#lib/contract/client.ts";
import type { Addresses, OperationName, Operations } from "./addresses.ts";

export const AddressesContext = createContext<Addresses>({});

type Listed<Name extends OperationName> = ReturnType<typeof callList<Operations[Name]>>;
type Versioned<Name extends OperationName> = ReturnType<typeof callVersioned<Operations[Name]>>;
type Answered<Name extends OperationName> = ReturnType<typeof call<Operations[Name]>>;

/** The API by the names of its operations. */
export interface Api {
  readonly call: <Name extends OperationName>(name: Name, input?: CallInput<Operations[Name]>) => Answered<Name>;
  readonly callVersioned: <Name extends OperationName>(
    name: Name,
    input?: CallInput<Operations[Name]>,
  ) => Versioned<Name>;
  readonly callList: <Name extends OperationName>(name: Name, input?: CallInput<Operations[Name]>) => Listed<Name>;
  /** An operation's URL, for requests that the browser makes itself: streams and downloads. */
  readonly url: <Name extends OperationName>(name: Name, input?: CallInput<Operations[Name]>) => string;
}

export function useApi(): Api {
  const addresses = useContext(AddressesContext);
  return useMemo(() => {
    // The client reads an operation's address only; the rest of it is types.
    const of = <Name extends OperationName>(name: Name) => addresses[name] as Operations[Name];
    return {
      call: (name, input = {}) => call(of(name), input),
      callVersioned: (name, input = {}) => callVersioned(of(name), input),
      callList: (name, input = {}) => callList(of(name), input),
      url: (name, input = {}) => addressOf(of(name), input),
    };
  }, [addresses]);
}

export interface ChangeOptions<Given, Result> {
  readonly run: (api: Api, given: Given) => Promise<Result>;
  /** Key prefixes of the queries that the change makes stale. */
  readonly stale: readonly string[];
  /** The toast on success. */
  readonly done?: string | ((result: Result, given: Given) => string);
  /** The toast on failure, followed by the reason; without it, the caller reports the failure. */
  readonly failed?: string;
  readonly onDone?: (result: Result, given: Given) => void;
  /** Undoes the change; offered in the `done` toast. */
  readonly undo?: (result: Result, given: Given) => void;
}

/** An API call that refetches stale queries and reports its outcome in a toast. */
export function useChange<Given, Result>({ run, stale, done, failed, onDone, undo }: ChangeOptions<Given, Result>) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given: Given) => run(api, given),
    onSuccess: async (result, given) => {
      onDone?.(result, given);
      const message = typeof done === "function" ? done(result, given) : done;
      if (message !== undefined) void showToast({ message, ...(undo && { undo: () => undo(result, given) }) });
      await Promise.all(stale.map((key) => queries.invalidateQueries({ queryKey: [key] })));
    },
    onError: (error) => {
      if (failed === undefined) return;
      void showToast({ message: `${failed} ${sayFailure(error)}`, tone: "failed" });
    },
  });
}

export const RoleContext = createContext<Role>("viewer");

interface Access {
  readonly role: Role;
  /**
   * Why the member lacks this scope and which roles have it; null if they have it. `act`: what it takes the scope to do,
   * where no control beside the text says so.
   */
  readonly refusal: (scope: Scope, act?: string) => string | null;
}

/** The signed-in member's permissions. The API enforces them; the UI only explains them in advance. */
export function useAccess(): Access {
  const role = useContext(RoleContext);
  return { role, refusal: (scope, act) => refusalOf(role, scope, act) };
}

function refusalOf(role: Role, scope: Scope, act = "do this"): string | null {
  if (roleScopes[role].includes(scope)) return null;
  const who = roleScopes.editor.includes(scope) ? "an editor or an owner" : "an owner";
  return `You are ${role === "viewer" ? "a" : "an"} ${role}: only ${who} of the workspace can ${act}.`;
}
