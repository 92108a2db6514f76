"use client";

import { NativeSelect } from "@mantine/core";
import { useAccess } from "#components/api/use-access.ts";
import type { Api } from "#components/api/use-api.ts";
import { useChange } from "#components/api/use-change.ts";
import type { Role } from "#lib/access.ts";
import type { ShownMember } from "#lib/contract/members.ts";
import { roleInWords, roleOf, roleOptions } from "./role-words.ts";

/** A member's role; owners change it in its place. */
export function MemberRole({ member }: { readonly member: ShownMember }) {
  const refusal = useAccess().refusal("members:write");
  const set = {
    run: (api: Api, role: Role) => api.call("updateMember", { params: { id: member.id }, body: { role } }),
    stale: ["members", "account"],
    failed: "The role was not changed.",
  };
  const back = useChange(set);
  const change = useChange({
    ...set,
    done: ({ name, role }) => `${name} is ${role === "viewer" ? "a" : "an"} ${role} now.`,
    undo: () => back.mutate(member.role),
  });
  if (refusal !== null) return <span>{roleInWords(member.role)}</span>;
  return (
    <NativeSelect
      aria-label={`Role of ${member.name}`}
      data={roleOptions}
      value={change.isPending ? change.variables : member.role}
      disabled={change.isPending}
      onChange={(event) => change.mutate(roleOf(event.currentTarget.value))}
      w={112}
    />
  );
}
