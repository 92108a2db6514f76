import { z } from "zod";
import { answer, choice, list, listOf, someNumber, someObject, someText, text, texts } from "./model/fields.ts";
import { googleCredentials } from "./model/google.ts";
import { defineService } from "./model/service.ts";

const docs = (place: string) => `https://developers.google.com/workspace/sheets/api/reference/rest/v4/${place}`;
const spreadsheetId = text("Spreadsheet", "Its id, from its URL.");
const range = text("Range", "In A1 notation, such as Sheet1!A1:C10.");
const values = list("Rows", 'A list of rows: [["Ann", 42], ["Bob", 7]].');
const valueInputOption = choice("Values", "Parsed as if typed by a person, or stored as given.", [
  "USER_ENTERED",
  "RAW",
]);
const updated = answer({ spreadsheetId: someText, updatedRange: someText, updatedCells: someNumber });

/** https://developers.google.com/workspace/sheets/api/reference/rest */
export const googleSheets = defineService({
  id: "google-sheets",
  name: "Google Sheets",
  icon: { letters: "GS", color: "#188038" },
  description: "Rows and cells of Google spreadsheets.",
  baseUrl: "https://sheets.googleapis.com",
  credentials: googleCredentials("https://www.googleapis.com/auth/spreadsheets"),
  operations: () => [
    {
      id: "append-rows",
      name: "Append rows",
      method: "POST",
      path: "/v4/spreadsheets/{spreadsheetId}/values/{range}:append",
      parameters: z.object({ spreadsheetId, range, valueInputOption: valueInputOption.default("USER_ENTERED") }),
      body: z.object({ values }),
      answer: answer({ spreadsheetId: someText, tableRange: someText, updates: updated }),
      docs: docs("spreadsheets.values/append"),
    },
    {
      id: "read-rows",
      name: "Read rows",
      method: "GET",
      path: "/v4/spreadsheets/{spreadsheetId}/values/{range}",
      parameters: z.object({
        spreadsheetId,
        range,
        majorDimension: choice("By", "Lists of rows, or of columns.", ["ROWS", "COLUMNS"]).optional(),
        valueRenderOption: choice("Values", "Formatted as shown, or raw.", [
          ...(["FORMATTED_VALUE", "UNFORMATTED_VALUE", "FORMULA"] as const),
        ]).optional(),
      }),
      answer: answer({ range: someText, majorDimension: someText, values: z.array(z.array(z.unknown())) }),
      docs: docs("spreadsheets.values/get"),
    },
    {
      id: "update-rows",
      name: "Update rows",
      method: "PUT",
      path: "/v4/spreadsheets/{spreadsheetId}/values/{range}",
      parameters: z.object({ spreadsheetId, range, valueInputOption: valueInputOption.default("USER_ENTERED") }),
      body: z.object({ values }),
      answer: updated,
      docs: docs("spreadsheets.values/update"),
    },
    {
      id: "clear-rows",
      name: "Clear rows",
      method: "POST",
      path: "/v4/spreadsheets/{spreadsheetId}/values/{range}:clear",
      parameters: z.object({ spreadsheetId, range }),
      body: z.object({}),
      answer: answer({ spreadsheetId: someText, clearedRange: someText }),
      docs: docs("spreadsheets.values/clear"),
    },
    {
      id: "read-ranges",
      name: "Read several ranges",
      method: "GET",
      path: "/v4/spreadsheets/{spreadsheetId}/values:batchGet",
      parameters: z.object({ spreadsheetId, ranges: texts("Ranges", "In A1 notation.") }),
      answer: answer({ spreadsheetId: someText, valueRanges: listOf({ range: someText }) }),
      docs: docs("spreadsheets.values/batchGet"),
    },
    {
      id: "read-spreadsheet",
      name: "Read a spreadsheet",
      method: "GET",
      path: "/v4/spreadsheets/{spreadsheetId}",
      parameters: z.object({ spreadsheetId }),
      answer: answer({ spreadsheetId: someText, spreadsheetUrl: someText, sheets: listOf({ properties: someObject }) }),
      docs: docs("spreadsheets/get"),
    },
    {
      id: "create-spreadsheet",
      name: "Create a spreadsheet",
      method: "POST",
      path: "/v4/spreadsheets",
      body: z.object({ title: text("Title", "The spreadsheet's name.") }),
      send: ({ body }) => ({ properties: { title: body.title } }),
      answer: answer({ spreadsheetId: someText, spreadsheetUrl: someText }),
      docs: docs("spreadsheets/create"),
    },
    {
      id: "add-sheet",
      name: "Add a sheet",
      method: "POST",
      path: "/v4/spreadsheets/{spreadsheetId}:batchUpdate",
      parameters: z.object({ spreadsheetId }),
      body: z.object({ title: text("Title", "The sheet's name.") }),
      send: ({ body }) => ({ requests: [{ addSheet: { properties: { title: body.title } } }] }),
      answer: answer({ spreadsheetId: someText, replies: z.array(someObject) }),
      docs: docs("spreadsheets/batchUpdate"),
    },
  ],
});
