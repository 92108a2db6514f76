/** The server's answer to a form before sign-in; `fields` has messages by field name. */
export type EntryAnswer =
  | { readonly done: true; readonly email?: string }
  | { readonly done: false; readonly message: string; readonly fields: Readonly<Record<string, string>> };

export type EntryRefusal = Extract<EntryAnswer, { done: false }>;

export const unreachable: EntryRefusal = {
  done: false,
  message: "The server did not answer. Check that it is running, then try again.",
  fields: {},
};
