import { AppError } from "#lib/errors.ts";
import { sleep } from "#lib/platform/clock.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { isOutboundError } from "#lib/platform/outbound/outbound-error.ts";

/** A name server that is slow delays nobody for longer: each delivery is checked again. */
const lookUpMsMax = 2_000;

/**
 * Throws VALIDATION_ERROR for an address that deliveries may not reach. A name that does not lead anywhere yet may do
 * so later, and is taken.
 */
export async function checkReceiver(url: string, outbound: Pick<Outbound, "check">): Promise<void> {
  const refusal = outbound.check(url).then(
    () => null,
    (error: unknown) => error,
  );
  const error = await Promise.race([refusal, sleep(lookUpMsMax).then(() => null)]);
  if (error === null || (isOutboundError(error) && error.code === "DNS_FAILED")) return;
  if (!isOutboundError(error)) throw error;
  throw new AppError("VALIDATION_ERROR", "The request body is not valid", { details: { url: error.message } });
}
