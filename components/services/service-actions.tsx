"use client";

import { IconPencil, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useAccess, useApi, useChange } from "#components/api/use-api.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import type { ShownService } from "#lib/contract/services.ts";
import { serviceQueries } from "./service-queries.ts";

const RenameDialog = lazyPart(() => import("#components/dialog/rename-dialog.tsx"));
const ReimportDialog = lazyPart(async () => ({ default: (await import("./reimport-dialog.tsx")).ReimportDialog }));

/** Actions on an imported service. */
export function ServiceActions({ service: shown }: { readonly service: ShownService }) {
  const { id, name } = shown;
  const [dialog, openDialog] = useState<"rename" | "import" | "delete" | null>(null);
  const close = () => openDialog(null);
  const refusal = useAccess().refusal("flows:write");
  const remove = useChange({
    run: (api, serviceId: string) => api.call("deleteService", { params: { id: serviceId } }),
    stale: ["services"],
    done: `${name} was deleted.`,
    failed: "The service was not deleted.",
  });
  const isOff = refusal !== null;
  return (
    <>
      <RowMenu
        label={`Actions for ${name}`}
        note={refusal}
        entries={[
          { label: "Rename", icon: IconPencil, onChoose: () => openDialog("rename"), disabled: isOff },
          { label: "Reimport", icon: IconRefresh, onChoose: () => openDialog("import"), disabled: isOff },
          { label: "Delete", icon: IconTrash, onChoose: () => openDialog("delete"), danger: true, disabled: isOff },
        ]}
      />
      <Suspense>
        {dialog === "rename" && (
          <RenameDialog
            title={`Rename ${name}`}
            hint="Nodes that call it keep working: they refer to it by its id."
            name={name}
            stale="services"
            run={(api, next) => api.call("updateService", { params: { id }, body: { name: next } })}
            onClose={close}
          />
        )}
        {dialog === "import" && <ReimportDialog service={shown} onClose={close} />}
      </Suspense>
      <ConfirmDialog
        title={`Delete ${name}`}
        confirm="Delete service"
        opened={dialog === "delete"}
        onClose={close}
        onConfirm={() => remove.mutate(id)}
      >
        The service and its operations are deleted for good. <Loss id={id} />
      </ConfirmDialog>
    </>
  );
}

const namedMax = 10;

/** What stops working when a service is deleted. */
function Loss({ id }: { readonly id: string }) {
  const { data, isError } = useQuery(serviceQueries.uses(useApi(), id));
  if (data === undefined)
    return isError ? "The flows that use it could not be loaded." : "Looking for flows that use it…";
  if (data.length === 0) return "No flow uses it.";
  const names = data.slice(0, namedMax).map(({ flowName }) => flowName);
  if (data.length > namedMax) names.push(`${data.length - namedMax} more`);
  return `Used in ${names.join(", ")}: nodes that call it will fail.`;
}
