import { github } from "../github.ts";
import { notion } from "../notion.ts";
import { slack } from "../slack.ts";
import { stripe } from "../stripe.ts";
import { telegram } from "../telegram.ts";
import type { Operation, Service } from "./service.ts";

/** The services that everyone has, in the palette's order. */
export const allServices: readonly Service[] = [slack, github, stripe, notion, telegram];

const byId = new Map(allServices.map((service) => [service.id, service]));

/** Undefined for an id that is none of them. */
export function findService(id: string): Service | undefined {
  return byId.get(id);
}

export function findOperation(service: Service | undefined, id: string): Operation | undefined {
  return service?.operations.find((operation) => operation.id === id);
}
