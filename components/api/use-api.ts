"use client";

import { createContext, useContext, useMemo } from "react";
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
  /** Where an operation is, for what a browser asks by itself: a stream, a download. */
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
