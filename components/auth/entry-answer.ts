/** What the server says to one of the forms before one is signed in; `fields` are messages by the field's name. */
export type EntryAnswer =
  | { readonly done: true; readonly email?: string }
  | { readonly done: false; readonly message: string; readonly fields: Readonly<Record<string, string>> };

export type EntryRefusal = Extract<EntryAnswer, { done: false }>;

export const unreachable: EntryRefusal = {
  done: false,
  message: "The server did not answer. Check that it is running, then try again.",
  fields: {},
};
