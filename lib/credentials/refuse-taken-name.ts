import { AppError } from "#lib/errors.ts";

/**
 * Does the write; a name that the workspace has already is VALIDATION_ERROR. The database decides, so that of two
 * who choose a name at the same moment one gets it.
 */
export async function refuseTakenName<Row>(name: string, write: () => Promise<Row>): Promise<Row> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "P2002")) throw error;
    throw new AppError("VALIDATION_ERROR", "The request body is not valid", {
      details: { name: `there is a credential named "${name}" already` },
    });
  }
}
