import { attemptsPerSubscriptionMax, type ClaimedDelivery } from "#lib/webhooks/claim-deliveries.ts";

/** One subscription's deliveries that this process has claimed, sent a few at a time. */
export class DeliveryQueue {
  /** The receiver failed: the remaining deliveries are released instead of tried at once. */
  hasFailed = false;
  readonly #work: (delivery: ClaimedDelivery, queue: DeliveryQueue) => Promise<void>;
  readonly #onEmpty: () => void;
  #waiting: ClaimedDelivery[] = [];
  #inFlight = 0;

  /** `work` never rejects. */
  constructor(work: (delivery: ClaimedDelivery, queue: DeliveryQueue) => Promise<void>, onEmpty: () => void) {
    this.#work = work;
    this.#onEmpty = onEmpty;
  }

  /** If a delivery was claimed later, the receiver may be tried again. */
  add(delivery: ClaimedDelivery): void {
    this.hasFailed = false;
    this.#waiting.push(delivery);
    this.#next();
  }

  #next(): void {
    while (this.#inFlight < attemptsPerSubscriptionMax) {
      const delivery = this.#waiting.shift();
      if (delivery === undefined) break;
      this.#inFlight += 1;
      void this.#work(delivery, this).finally(() => {
        this.#inFlight -= 1;
        this.#next();
      });
    }
    if (this.#inFlight === 0) this.#onEmpty();
  }
}
