import { randomUUID } from "node:crypto";
import { sleep, timeNow } from "#lib/platform/clock.ts";
import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { OneAtATime } from "#lib/platform/one-at-a-time.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { SharedRoom } from "#lib/platform/processes/shared-room.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import {
  type ClaimedDelivery,
  claimDeliveries,
  claimsMax,
  findDue,
  leaseMs,
  openDelivery,
  renewClaims,
} from "#lib/webhooks/claim-deliveries.ts";
import { sendDelivery } from "#lib/webhooks/send-delivery.ts";
import { releaseDelivery, settleDelivery } from "#lib/webhooks/settle-delivery.ts";
import { DeliveryQueue } from "./delivery-queue.ts";

const pollMs = 250;
const drainMs = 10_500;
const sendDueMsMax = 40_000;

/** The bytes of large bodies in memory at once, in all and of one workspace. */
const bodiesMax = { max: 67_108_864, ofOwnerMax: 16_777_216, uncounted: 65_536 } as const;

/** Three renewals before a claim expires. */
const renewEveryMs = leaseMs / 4;

/** Sends the outbox's deliveries. Senders, also of different processes, share the work by claiming deliveries. */
export class DeliverySender {
  readonly #outbound: Pick<Outbound, "send">;
  /** Not the process's name: with Inngest, a process has several senders. */
  readonly #owner = randomUUID();
  readonly #claims = new OneAtATime(() => this.#claim());
  /** Claimed by this process and not finished. */
  readonly #held = new Set<ClaimedDelivery>();
  #renewals: NodeJS.Timeout | undefined;
  readonly #giveUp = new AbortController();
  readonly #lanes = [new Lane(false, claimsMax.steady), new Lane(true, claimsMax.failing)];
  readonly #bodies = new SharedRoom(bodiesMax);
  #timers: NodeJS.Timeout[] = [];
  #draining = false;

  constructor(outbound: Pick<Outbound, "send">) {
    this.#outbound = outbound;
  }

  start(): void {
    const poll = setInterval(() => this.wake(), pollMs);
    this.#timers = [poll.unref()];
    this.wake();
  }

  /** Polls for deliveries now. */
  wake(): void {
    this.#claims.request();
  }

  /** Stops claiming, releases deliveries that were not started, and waits for attempts in flight. */
  async drain(): Promise<void> {
    this.#draining = true;
    for (const timer of this.#timers) clearInterval(timer);
    const giveUpAt = performance.now() + drainMs;
    while (this.#isBusy) {
      if (performance.now() > giveUpAt) this.#giveUp.abort();
      if (performance.now() > giveUpAt + 1_000) return;
      await sleep(20);
    }
  }

  /** Sends what is due now and what becomes due through it; resolves when nothing is left. */
  async sendDue(): Promise<void> {
    this.wake();
    const giveUpAt = performance.now() + sendDueMsMax;
    while (this.#isBusy) {
      if (performance.now() > giveUpAt) return await this.drain();
      await sleep(20);
    }
  }

  get #isBusy(): boolean {
    return this.#claims.isRunning || this.#lanes.some((lane) => lane.taken > 0);
  }

  async #claim(): Promise<void> {
    if (this.#draining || this.#lanes.every((lane) => lane.free === 0)) return;
    try {
      const due = await findDue();
      for (const lane of this.#lanes.filter(({ failing, free }) => free > 0 && (failing ? due.failing : due.steady))) {
        const claimed = await claimDeliveries(this.#owner, lane.free, lane.failing);
        for (const delivery of claimed) this.#queue(delivery, lane);
      }
    } catch (error) {
      if (!isUnavailable(error)) logLine("error", "Deliveries could not be claimed", errorFields(error));
    }
  }

  #queue(delivery: ClaimedDelivery, lane: Lane): void {
    lane.taken += 1;
    this.#hold(delivery);
    const { queues } = lane;
    const { subscriptionId } = delivery;
    const work = async (claimed: ClaimedDelivery, queue: DeliveryQueue) => {
      const hasFailed = !(await this.#attempt(claimed, queue));
      if (hasFailed && !lane.failing) queue.hasFailed = true;
      this.#release(claimed);
      lane.taken -= 1;
      this.wake();
    };
    const queue = queues.get(subscriptionId) ?? new DeliveryQueue(work, () => queues.delete(subscriptionId));
    queues.set(subscriptionId, queue);
    queue.add(delivery);
  }

  #hold(delivery: ClaimedDelivery): void {
    this.#held.add(delivery);
    this.#renewals ??= setInterval(() => void this.#renew(), renewEveryMs).unref();
  }

  #release(delivery: ClaimedDelivery): void {
    this.#held.delete(delivery);
    if (this.#held.size > 0) return;
    clearInterval(this.#renewals);
    this.#renewals = undefined;
  }

  async #renew(): Promise<void> {
    try {
      await renewClaims([...this.#held]);
    } catch (error) {
      if (!isUnavailable(error)) logLine("error", "Claims of deliveries could not be renewed", errorFields(error));
    }
  }

  /** A result that cannot be stored is lost: the delivery is due again when its lease expires. */
  async #attempt(delivery: ClaimedDelivery, queue: DeliveryQueue): Promise<boolean> {
    const leave = await this.#bodies.enter(delivery.workspaceId, delivery.bodyBytes);
    try {
      const opened = this.#draining || queue.hasFailed ? null : await openDelivery(delivery);
      if (opened === null) {
        await releaseDelivery(delivery);
        return true;
      }
      const attempt = await sendDelivery(opened, this.#outbound, timeNow(), this.#giveUp.signal);
      await settleDelivery(delivery, attempt, timeNow());
      return attempt.error === null;
    } catch (error) {
      if (!isUnavailable(error)) logLine("error", "A delivery could not be recorded", errorFields(error));
      return false;
    } finally {
      leave();
    }
  }
}

class Lane {
  readonly failing: boolean;
  /** By subscription. */
  readonly queues = new Map<string, DeliveryQueue>();
  readonly #places: number;
  taken = 0;

  constructor(failing: boolean, places: number) {
    this.failing = failing;
    this.#places = places;
  }

  get free(): number {
    return this.#places - this.taken;
  }
}

/** This process's sender, started on first use. */
export function deliveries(): DeliverySender {
  return singleton("deliveries", () => {
    const made = new DeliverySender(outsideWorld().outbound);
    made.start();
    return made;
  });
}
