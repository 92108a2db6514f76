import { z } from "zod";
import {
  answer,
  choice,
  flag,
  integer,
  list,
  listOf,
  nothing,
  object,
  someObject,
  someText,
  text,
} from "./model/fields.ts";
import { googleCredentials } from "./model/google.ts";
import { defineService } from "./model/service.ts";

const docs = (place: string) => `https://developers.google.com/workspace/calendar/api/v3/reference/${place}`;
const calendarId = text("Calendar", "Its id; primary is that of the account.");
const eventId = text("Event", "The event's id.");
const sendUpdates = choice("Tell guests", "Who is sent a mail.", ["all", "externalOnly", "none"]).optional();
const event = answer({ id: someText, status: someText, htmlLink: someText, summary: someText });
const when = (title: string) => object(title, '{"dateTime": "2026-01-31T10:00:00+01:00"}, or {"date": "2026-01-31"}.');
const details = {
  description: text("Description", "Details.").optional(),
  location: text("Place", "Where it is.").optional(),
  attendees: list("Guests", 'Such as [{"email": "ann@example.com"}].').optional(),
};

/** https://developers.google.com/workspace/calendar/api/v3/reference */
export const googleCalendar = defineService({
  id: "google-calendar",
  name: "Google Calendar",
  icon: { letters: "GC", color: "#1a73e8" },
  description: "Events of Google calendars.",
  baseUrl: "https://www.googleapis.com/calendar/v3",
  credentials: googleCredentials("https://www.googleapis.com/auth/calendar"),
  operations: () => [
    {
      id: "create-event",
      name: "Create an event",
      method: "POST",
      path: "/calendars/{calendarId}/events",
      parameters: z.object({ calendarId, sendUpdates }),
      body: z.object({
        summary: text("Title", "What the event is called.").optional(),
        start: when("Start"),
        end: when("End"),
        ...details,
      }),
      answer: event,
      docs: docs("events/insert"),
    },
    {
      id: "update-event",
      name: "Update an event",
      method: "PATCH",
      path: "/calendars/{calendarId}/events/{eventId}",
      parameters: z.object({ calendarId, eventId, sendUpdates }),
      body: z.object({
        summary: text("Title", "The new title.").optional(),
        start: when("Start").optional(),
        end: when("End").optional(),
        ...details,
      }),
      answer: event,
      docs: docs("events/patch"),
    },
    {
      id: "read-event",
      name: "Read an event",
      method: "GET",
      path: "/calendars/{calendarId}/events/{eventId}",
      parameters: z.object({ calendarId, eventId }),
      answer: event,
      docs: docs("events/get"),
    },
    {
      id: "list-events",
      name: "List events",
      method: "GET",
      path: "/calendars/{calendarId}/events",
      parameters: z.object({
        calendarId,
        timeMin: text("From", "Only those that end after this time, in ISO 8601.").optional(),
        timeMax: text("Until", "Only those that start before this time, in ISO 8601.").optional(),
        q: text("Search", "Words to find.").optional(),
        singleEvents: flag("Single events", "Lists each occurrence of a recurring event.").optional(),
        orderBy: choice("Order", "By start time only for single events.", ["startTime", "updated"]).optional(),
        maxResults: integer("Limit", "The page size, up to 2,500.", 2_500).optional(),
      }),
      answer: answer({ items: listOf({ id: someText, summary: someText, start: someObject, end: someObject }) }),
      pages: { cursor: "$response.body.nextPageToken", parameter: "pageToken", items: "$response.body.items" },
      docs: docs("events/list"),
    },
    {
      id: "delete-event",
      name: "Delete an event",
      method: "DELETE",
      path: "/calendars/{calendarId}/events/{eventId}",
      parameters: z.object({ calendarId, eventId, sendUpdates }),
      answer: nothing,
      docs: docs("events/delete"),
    },
    {
      id: "find-free-time",
      name: "Find busy times",
      method: "POST",
      path: "/freeBusy",
      body: z.object({
        timeMin: text("From", "In ISO 8601."),
        timeMax: text("Until", "In ISO 8601."),
        items: list("Calendars", 'Such as [{"id": "primary"}].'),
      }),
      reads: true,
      answer: answer({ calendars: someObject }),
      docs: docs("freebusy/query"),
    },
    {
      id: "list-calendars",
      name: "List calendars",
      method: "GET",
      path: "/users/me/calendarList",
      answer: answer({ items: listOf({ id: someText, summary: someText }) }),
      pages: { cursor: "$response.body.nextPageToken", parameter: "pageToken", items: "$response.body.items" },
      docs: docs("calendarList/list"),
    },
  ],
});
