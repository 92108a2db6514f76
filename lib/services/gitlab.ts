import { z } from "zod";
import { answer, choice, flag, integer, list, listOf, someNumber, someText, text } from "./model/fields.ts";
import { defineService } from "./model/service.ts";

const docs = (place: string) => `https://docs.gitlab.com/api/${place}`;
const id = text("Project", "The project's number, or its path such as group/project.");
const issueNumber = integer("Issue", "The issue's number in its project (iid).");
const perPage = integer("Per page", "The page size, up to 100.", 100).optional();
const labels = text("Labels", "Comma-separated names.").optional();
const issue = answer({ id: someNumber, iid: someNumber, title: someText, state: someText, web_url: someText });
const issues = listOf({ iid: someNumber, title: someText, state: someText, web_url: someText });
const pages = { page: 1, parameter: "page" };

/** https://docs.gitlab.com/api/rest: version 4, of gitlab.com or a self-hosted server. */
export const gitlab = defineService({
  id: "gitlab",
  name: "GitLab",
  icon: { letters: "GL", color: "#c9431c" },
  description: "Issues, merge requests, files and pipelines of GitLab projects.",
  baseUrl: "https://gitlab.com/api/v4",
  credentials: [
    { type: "header", name: "PRIVATE-TOKEN", help: "The value is a personal, group or project access token." },
    { type: "bearer", help: "The same token." },
    {
      type: "oauth2",
      help: "Your own application.",
      authorizationUrl: "https://gitlab.com/oauth/authorize",
      tokenUrl: "https://gitlab.com/oauth/token",
      scopes: "api",
    },
  ],
  operations: () => [
    {
      id: "create-issue",
      name: "Create an issue",
      method: "POST",
      path: "/projects/{id}/issues",
      parameters: z.object({ id }),
      body: z.object({
        title: text("Title", "The issue's title."),
        description: text("Description", "The issue's text, in Markdown.").optional(),
        labels,
        due_date: text("Due", "A date such as 2026-01-31.").optional(),
        confidential: flag("Confidential", "Only members see it.").optional(),
      }),
      answer: issue,
      docs: docs("issues/#new-issue"),
    },
    {
      id: "update-issue",
      name: "Update an issue",
      method: "PUT",
      path: "/projects/{id}/issues/{issue_iid}",
      parameters: z.object({ id, issue_iid: issueNumber }),
      body: z.object({
        title: text("Title", "The new title.").optional(),
        description: text("Description", "The new text.").optional(),
        labels,
        state_event: choice("State", "Closes or reopens it.", ["close", "reopen"]).optional(),
      }),
      answer: issue,
      docs: docs("issues/#edit-an-issue"),
    },
    {
      id: "list-issues",
      name: "List issues",
      method: "GET",
      path: "/projects/{id}/issues",
      parameters: z.object({
        id,
        state: choice("State", "Default: all.", ["opened", "closed", "all"]).optional(),
        labels,
        search: text("Search", "Words of title and description.").optional(),
        per_page: perPage,
      }),
      answer: issues,
      pages,
      docs: docs("issues/#list-project-issues"),
    },
    {
      id: "comment-issue",
      name: "Comment on an issue",
      method: "POST",
      path: "/projects/{id}/issues/{issue_iid}/notes",
      parameters: z.object({ id, issue_iid: issueNumber }),
      body: z.object({ body: text("Comment", "The comment, in Markdown.") }),
      answer: answer({ id: someNumber, body: someText }),
      docs: docs("notes/#create-new-issue-note"),
    },
    {
      id: "create-merge-request",
      name: "Create a merge request",
      method: "POST",
      path: "/projects/{id}/merge_requests",
      parameters: z.object({ id }),
      body: z.object({
        source_branch: text("From", "The branch with the changes."),
        target_branch: text("Into", "The branch to merge into."),
        title: text("Title", "The merge request's title."),
        description: text("Description", "Its text, in Markdown.").optional(),
        remove_source_branch: flag("Remove branch", "Removes the branch once it is merged.").optional(),
      }),
      answer: issue,
      docs: docs("merge_requests/#create-mr"),
    },
    {
      id: "list-merge-requests",
      name: "List merge requests",
      method: "GET",
      path: "/projects/{id}/merge_requests",
      parameters: z.object({
        id,
        state: choice("State", "Default: all.", ["opened", "closed", "locked", "merged"]).optional(),
        per_page: perPage,
      }),
      answer: issues,
      pages,
      docs: docs("merge_requests/#list-project-merge-requests"),
    },
    {
      id: "read-file",
      name: "Read a file",
      method: "GET",
      path: "/projects/{id}/repository/files/{file_path}",
      parameters: z.object({
        id,
        file_path: text("Path", "The file's path in the repository."),
        ref: text("Ref", "A branch, tag or commit."),
      }),
      answer: answer({ file_name: someText, content: someText, encoding: someText, blob_id: someText }),
      docs: docs("repository_files/#get-file-from-repository"),
    },
    {
      id: "run-pipeline",
      name: "Run a pipeline",
      method: "POST",
      path: "/projects/{id}/pipeline",
      parameters: z.object({ id }),
      body: z.object({
        ref: text("Ref", "The branch or tag to run it on."),
        variables: list("Variables", 'Such as [{"key": "STAGE", "value": "test"}].').optional(),
      }),
      answer: answer({ id: someNumber, status: someText, web_url: someText }),
      docs: docs("pipelines/#create-a-new-pipeline"),
    },
    {
      id: "create-release",
      name: "Create a release",
      method: "POST",
      path: "/projects/{id}/releases",
      parameters: z.object({ id }),
      body: z.object({
        tag_name: text("Tag", "The release's tag."),
        name: text("Name", "The release's name.").optional(),
        description: text("Notes", "What is new, in Markdown.").optional(),
        ref: text("Ref", "What to create the tag from, if it does not exist.").optional(),
      }),
      answer: answer({ tag_name: someText, name: someText }),
      docs: docs("releases/#create-a-release"),
    },
  ],
});
