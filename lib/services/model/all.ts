import { airtable } from "../airtable.ts";
import { discord } from "../discord.ts";
import { github } from "../github.ts";
import { gitlab } from "../gitlab.ts";
import { gmail } from "../gmail.ts";
import { googleCalendar } from "../google-calendar.ts";
import { googleDrive } from "../google-drive.ts";
import { googleSheets } from "../google-sheets.ts";
import { hubspot } from "../hubspot.ts";
import { jira } from "../jira.ts";
import { linear } from "../linear.ts";
import { microsoftGraph } from "../microsoft-graph.ts";
import { notion } from "../notion.ts";
import { s3 } from "../s3.ts";
import { sendgrid } from "../sendgrid.ts";
import { shopify } from "../shopify.ts";
import { slack } from "../slack.ts";
import { stripe } from "../stripe.ts";
import { telegram } from "../telegram.ts";
import { twilio } from "../twilio.ts";
import type { Operation, Service } from "./service.ts";

/** The built-in services, in the palette's order. */
export const allServices: readonly Service[] = [
  ...[slack, discord, telegram, gmail, googleSheets, googleDrive, googleCalendar, notion, airtable],
  ...[github, gitlab, linear, jira, stripe, shopify, hubspot, microsoftGraph, twilio, sendgrid, s3],
];

const byId = new Map(allServices.map((service) => [service.id, service]));

/** Undefined for an unknown id. */
export function findService(id: string): Service | undefined {
  return byId.get(id);
}

export function findOperation(service: Service | undefined, id: string): Operation | undefined {
  return service?.operations.find((operation) => operation.id === id);
}
