import type { Documented } from "./documented.ts";

const range = "Sheet 1!A1:B2";
const inRange = "Sheet%201!A1%3AB2";

/** Requests from the documentation of Google Sheets, Drive and Calendar. */
export const google: Documented = {
  "google-sheets": [
    [
      "append-rows",
      { spreadsheetId: "s", range },
      { values: [["Ann", 42]] },
      `POST /v4/spreadsheets/s/values/${inRange}:append?valueInputOption=USER_ENTERED`,
      "same",
    ],
    [
      "read-rows",
      { spreadsheetId: "s", range, majorDimension: "ROWS" },
      {},
      `GET /v4/spreadsheets/s/values/${inRange}?majorDimension=ROWS`,
    ],
    [
      "update-rows",
      { spreadsheetId: "s", range, valueInputOption: "RAW" },
      { values: [[1]] },
      `PUT /v4/spreadsheets/s/values/${inRange}?valueInputOption=RAW`,
      "same",
    ],
    ["clear-rows", { spreadsheetId: "s", range }, {}, `POST /v4/spreadsheets/s/values/${inRange}:clear`, "same"],
    [
      "read-ranges",
      { spreadsheetId: "s", ranges: ["A1", "B2"] },
      {},
      "GET /v4/spreadsheets/s/values:batchGet?ranges=A1&ranges=B2",
    ],
    ["read-spreadsheet", { spreadsheetId: "s" }, {}, "GET /v4/spreadsheets/s"],
    ["create-spreadsheet", {}, { title: "T" }, "POST /v4/spreadsheets", { properties: { title: "T" } }],
    [
      "add-sheet",
      { spreadsheetId: "s" },
      { title: "T" },
      "POST /v4/spreadsheets/s:batchUpdate",
      { requests: [{ addSheet: { properties: { title: "T" } } }] },
    ],
  ],
  "google-drive": [
    ["find-files", { q: "trashed = false", pageSize: 5 }, {}, "GET /drive/v3/files?q=trashed+%3D+false&pageSize=5"],
    ["read-file", { fileId: "f", fields: "id,name" }, {}, "GET /drive/v3/files/f?fields=id%2Cname"],
    ["download-file", { fileId: "f" }, {}, "GET /drive/v3/files/f?alt=media"],
    ["export-file", { fileId: "f", mimeType: "text/csv" }, {}, "GET /drive/v3/files/f/export?mimeType=text%2Fcsv"],
    ["upload-file", {}, { content: "FILE" }, "POST /upload/drive/v3/files?uploadType=media", "the file's bytes"],
    [
      "create-folder",
      {},
      { name: "N", parents: ["p"] },
      "POST /drive/v3/files",
      { name: "N", parents: ["p"], mimeType: "application/vnd.google-apps.folder" },
    ],
    ["update-file", { fileId: "f", addParents: "p" }, { name: "N" }, "PATCH /drive/v3/files/f?addParents=p", "same"],
    [
      "share-file",
      { fileId: "f" },
      { type: "user", role: "reader", emailAddress: "a@b.test" },
      "POST /drive/v3/files/f/permissions",
      "same",
    ],
    ["delete-file", { fileId: "f" }, {}, "DELETE /drive/v3/files/f"],
  ],
  "google-calendar": [
    [
      "create-event",
      { calendarId: "a@b.test", sendUpdates: "all" },
      { summary: "E", start: { date: "2026-01-31" }, end: { date: "2026-02-01" } },
      "POST /calendar/v3/calendars/a%40b.test/events?sendUpdates=all",
      "same",
    ],
    [
      "update-event",
      { calendarId: "primary", eventId: "e" },
      { summary: "E" },
      "PATCH /calendar/v3/calendars/primary/events/e",
      "same",
    ],
    ["read-event", { calendarId: "primary", eventId: "e" }, {}, "GET /calendar/v3/calendars/primary/events/e"],
    [
      "list-events",
      { calendarId: "primary", singleEvents: true, orderBy: "startTime" },
      {},
      "GET /calendar/v3/calendars/primary/events?singleEvents=true&orderBy=startTime",
    ],
    ["delete-event", { calendarId: "primary", eventId: "e" }, {}, "DELETE /calendar/v3/calendars/primary/events/e"],
    [
      "find-free-time",
      {},
      { timeMin: "2026-01-31T00:00:00Z", timeMax: "2026-02-01T00:00:00Z", items: [{ id: "primary" }] },
      "POST /calendar/v3/freeBusy",
      "same",
    ],
    ["list-calendars", {}, {}, "GET /calendar/v3/users/me/calendarList"],
  ],
};
