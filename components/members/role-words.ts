import { type Role, roles } from "#lib/access.ts";

const words: Record<Role, string> = { owner: "Owner", editor: "Editor", viewer: "Viewer" };

export const roleOptions = roles.map((value) => ({ value, label: words[value] }));

export function roleInWords(role: Role): string {
  return words[role];
}

/** The role of a selected option. */
export function roleOf(value: string): Role {
  return roles.find((role) => role === value) ?? "viewer";
}
