import { z } from "zod";
import { answer, choice, file, integer, listOf, nothing, someText, text, texts } from "./model/fields.ts";
import { googleCredentials } from "./model/google.ts";
import { defineService } from "./model/service.ts";

const docs = (place: string) => `https://developers.google.com/workspace/drive/api/reference/rest/v3/${place}`;
const fileId = text("File", "The id of a file or folder.");
const driveFile = answer({ id: someText, name: someText, mimeType: someText });
const parents = texts("Folder", "The id of the folder that it belongs to, as a list.").optional();

/** https://developers.google.com/workspace/drive/api/reference/rest/v3 */
export const googleDrive = defineService({
  id: "google-drive",
  name: "Google Drive",
  icon: { letters: "GD", color: "#1967d2" },
  description: "Files and folders of Google Drive.",
  baseUrl: "https://www.googleapis.com",
  credentials: googleCredentials("https://www.googleapis.com/auth/drive"),
  operations: () => [
    {
      id: "find-files",
      name: "Find files",
      method: "GET",
      path: "/drive/v3/files",
      parameters: z.object({
        q: text("Search", "Such as name contains 'report' and trashed = false.").optional(),
        orderBy: text("Order", "Such as modifiedTime desc.").optional(),
        pageSize: integer("Limit", "The page size, up to 1,000.", 1_000).optional(),
        fields: text("Fields", "Such as nextPageToken, files(id, name, size).").optional(),
      }),
      answer: answer({ files: listOf({ id: someText, name: someText, mimeType: someText }), nextPageToken: someText }),
      pages: { cursor: "$response.body.nextPageToken", parameter: "pageToken", items: "$response.body.files" },
      docs: docs("files/list"),
    },
    {
      id: "read-file",
      name: "Get a file's metadata",
      method: "GET",
      path: "/drive/v3/files/{fileId}",
      parameters: z.object({ fileId, fields: text("Fields", "Such as id, name, size, webViewLink.").optional() }),
      answer: driveFile,
      docs: docs("files/get"),
    },
    {
      id: "download-file",
      name: "Download a file",
      method: "GET",
      path: "/drive/v3/files/{fileId}",
      parameters: z.object({ fileId }),
      query: { alt: "media" },
      answer: answer({ file: someText, name: someText }),
      answers: "file",
      docs: docs("files/get"),
    },
    {
      id: "export-file",
      name: "Export a document",
      method: "GET",
      path: "/drive/v3/files/{fileId}/export",
      parameters: z.object({ fileId, mimeType: text("Type", "Such as application/pdf or text/csv.") }),
      answer: answer({ file: someText, name: someText }),
      answers: "file",
      docs: docs("files/export"),
    },
    {
      id: "upload-file",
      name: "Upload a file",
      method: "POST",
      path: "/upload/drive/v3/files",
      query: { uploadType: "media" },
      body: z.object({ content: file("File", "A file of this flow; name it afterwards with “Update a file”.") }),
      bodyType: "file",
      fileField: "content",
      answer: driveFile,
      docs: docs("files/create"),
    },
    {
      id: "create-folder",
      name: "Create a folder",
      method: "POST",
      path: "/drive/v3/files",
      body: z.object({ name: text("Name", "The folder's name."), parents }),
      send: ({ body }) => ({ ...body, mimeType: "application/vnd.google-apps.folder" }),
      answer: driveFile,
      docs: docs("files/create"),
    },
    {
      id: "update-file",
      name: "Update a file",
      method: "PATCH",
      path: "/drive/v3/files/{fileId}",
      parameters: z.object({
        fileId,
        addParents: text("Into", "The id of a folder to put it into.").optional(),
        removeParents: text("Out of", "The id of a folder to take it out of.").optional(),
      }),
      body: z.object({
        name: text("Name", "The new name.").optional(),
        description: text("Description", "A new description.").optional(),
      }),
      answer: driveFile,
      docs: docs("files/update"),
    },
    {
      id: "share-file",
      name: "Share a file",
      method: "POST",
      path: "/drive/v3/files/{fileId}/permissions",
      parameters: z.object({ fileId }),
      body: z.object({
        type: choice("With", "Whom.", ["user", "group", "domain", "anyone"]),
        role: choice("Role", "What they may do.", ["reader", "commenter", "writer"]),
        emailAddress: text("Email", "Of the person or group.").optional(),
        domain: text("Domain", "With a domain: its name, such as example.com.").optional(),
      }),
      answer: answer({ id: someText, type: someText, role: someText }),
      docs: docs("permissions/create"),
    },
    {
      id: "delete-file",
      name: "Delete a file",
      method: "DELETE",
      path: "/drive/v3/files/{fileId}",
      parameters: z.object({ fileId }),
      answer: nothing,
      docs: docs("files/delete"),
    },
  ],
});
