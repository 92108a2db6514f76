import { z } from "zod";
import {
  answer,
  integer,
  listOf,
  nothing,
  object,
  shortText,
  someNumber,
  someObject,
  someText,
  text,
  texts,
} from "./model/fields.ts";
import { defineService } from "./model/service.ts";

const docs = (place: string) => `https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-${place}`;
const issueIdOrKey = text("Issue", "Its key, such as SHOP-12, or its id.");
/** Jira's texts are documents: each line of text becomes a paragraph. */
const document = (written: unknown) => ({
  type: "doc",
  version: 1,
  content: String(written)
    .split("\n")
    .map((line) => ({ type: "paragraph", content: line === "" ? [] : [{ type: "text", text: line }] })),
});
/** Jira's own limit. */
const documentMax = 32_767;
const moreFields = object("More fields", "Other fields by their names in Jira, such as customfield_10010.").optional();
const at = "/rest/api/3";

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3: every site has its own URL. */
export const jira = defineService({
  id: "jira",
  name: "Jira",
  icon: { letters: "Ji", color: "#0c66e4" },
  description: "Issues, comments and transitions of a Jira site.",
  baseUrl: null,
  baseUrlExample: "https://your-team.atlassian.net",
  credentials: [
    { type: "basic", help: "Your account's email address as the user name, and an API token as the password." },
    {
      type: "bearer",
      help: "A token of a service account, with https://api.atlassian.com/ex/jira/CLOUD_ID as the base URL.",
    },
  ],
  operations: () => [
    {
      id: "create-issue",
      name: "Create an issue",
      method: "POST",
      path: `${at}/issue`,
      body: z.object({
        project: text("Project", "The project's key, such as SHOP."),
        issuetype: text("Type", "The type's name, such as Task or Bug."),
        summary: text("Summary", "The issue's title."),
        description: shortText("Description", "The issue's text; a line is a paragraph.", documentMax).optional(),
        assignee: text("Assignee", "The account id of a person.").optional(),
        labels: texts("Labels", "Without spaces.").optional(),
        priority: text("Priority", "The priority's name, such as High.").optional(),
        duedate: text("Due", "A date such as 2026-01-31.").optional(),
        fields: moreFields,
      }),
      send: ({ body: { project, issuetype, description, assignee, priority, fields, ...rest } }) => ({
        fields: {
          project: { key: project },
          issuetype: { name: issuetype },
          ...rest,
          ...(description === undefined ? {} : { description: document(description) }),
          ...(assignee === undefined ? {} : { assignee: { id: assignee } }),
          ...(priority === undefined ? {} : { priority: { name: priority } }),
          ...(fields as object | undefined),
        },
      }),
      answer: answer({ id: someText, key: someText, self: someText }),
      docs: docs("issues/#api-rest-api-3-issue-post"),
    },
    {
      id: "read-issue",
      name: "Read an issue",
      method: "GET",
      path: `${at}/issue/{issueIdOrKey}`,
      parameters: z.object({
        issueIdOrKey,
        fields: text("Fields", "Comma-separated names of the fields to return.").optional(),
      }),
      answer: answer({ id: someText, key: someText, fields: someObject }),
      docs: docs("issues/#api-rest-api-3-issue-issueidorkey-get"),
    },
    {
      id: "update-issue",
      name: "Update an issue",
      method: "PUT",
      path: `${at}/issue/{issueIdOrKey}`,
      parameters: z.object({ issueIdOrKey }),
      body: z.object({
        summary: text("Summary", "The new title.").optional(),
        description: shortText("Description", "The new text; a line is a paragraph.", documentMax).optional(),
        labels: texts("Labels", "All labels: replaces the existing ones.").optional(),
        fields: moreFields,
      }),
      send: ({ body: { description, fields, ...rest } }) => ({
        fields: {
          ...rest,
          ...(description === undefined ? {} : { description: document(description) }),
          ...(fields as object | undefined),
        },
      }),
      answer: nothing,
      docs: docs("issues/#api-rest-api-3-issue-issueidorkey-put"),
    },
    {
      id: "find-issues",
      name: "Find issues",
      method: "GET",
      path: `${at}/search/jql`,
      parameters: z.object({
        jql: text("JQL", "Such as project = SHOP AND status = Open."),
        fields: text("Fields", "Comma-separated names of the fields to return.").optional(),
        maxResults: integer("Limit", "The page size, up to 5,000.", 5_000).optional(),
      }),
      answer: answer({ issues: listOf({ id: someText, key: someText, fields: someObject }), nextPageToken: someText }),
      pages: { cursor: "$response.body.nextPageToken", parameter: "nextPageToken", items: "$response.body.issues" },
      docs: docs("issue-search/#api-rest-api-3-search-jql-get"),
    },
    {
      id: "comment-issue",
      name: "Comment on an issue",
      method: "POST",
      path: `${at}/issue/{issueIdOrKey}/comment`,
      parameters: z.object({ issueIdOrKey }),
      body: z.object({ comment: shortText("Comment", "Each line is a paragraph.", documentMax) }),
      send: ({ body }) => ({ body: document(body.comment) }),
      answer: answer({ id: someText, self: someText }),
      docs: docs("issue-comments/#api-rest-api-3-issue-issueidorkey-comment-post"),
    },
    {
      id: "list-transitions",
      name: "List an issue's transitions",
      method: "GET",
      path: `${at}/issue/{issueIdOrKey}/transitions`,
      parameters: z.object({ issueIdOrKey }),
      answer: answer({ transitions: listOf({ id: someText, name: someText }) }),
      docs: docs("issues/#api-rest-api-3-issue-issueidorkey-transitions-get"),
    },
    {
      id: "move-issue",
      name: "Move an issue on",
      method: "POST",
      path: `${at}/issue/{issueIdOrKey}/transitions`,
      parameters: z.object({ issueIdOrKey }),
      body: z.object({ transition: text("Transition", "The transition's id.") }),
      send: ({ body }) => ({ transition: { id: body.transition } }),
      answer: nothing,
      docs: docs("issues/#api-rest-api-3-issue-issueidorkey-transitions-post"),
    },
    {
      id: "assign-issue",
      name: "Assign an issue",
      method: "PUT",
      path: `${at}/issue/{issueIdOrKey}/assignee`,
      parameters: z.object({ issueIdOrKey }),
      body: z.object({ accountId: text("Person", "The account id of the person.") }),
      answer: nothing,
      docs: docs("issues/#api-rest-api-3-issue-issueidorkey-assignee-put"),
    },
    {
      id: "list-projects",
      name: "List projects",
      method: "GET",
      path: `${at}/project/search`,
      parameters: z.object({
        query: text("Search", "Words of key and name.").optional(),
        maxResults: integer("Limit", "The page size, up to 50.", 50).default(50),
      }),
      answer: answer({ values: listOf({ id: someText, key: someText, name: someText }), total: someNumber }),
      pages: { offset: 50, size: "maxResults", parameter: "startAt", items: "$response.body.values" },
      docs: docs("projects/#api-rest-api-3-project-search-get"),
    },
  ],
});
