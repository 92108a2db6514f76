import { z } from "zod";
import { answer, integer, object, someFlag, someObject, someText, text, texts } from "./model/fields.ts";
import { type CallValues, defineService } from "./model/service.ts";

const docs = "https://linear.app/developers/graphql";
const issue = "id identifier title url state { id name }";
const shownIssue = answer({ id: someText, identifier: someText, title: someText, url: someText });
const graphql = (query: string, variables: (values: CallValues) => object) => (values: CallValues) => ({
  query,
  variables: variables(values),
});
const issueFields = {
  description: text("Description", "In Markdown.").optional(),
  assigneeId: text("Assignee", "A person's id.").optional(),
  stateId: text("State", "The id of a workflow's state.").optional(),
  projectId: text("Project", "A project's id.").optional(),
  labelIds: texts("Labels", "Ids of labels.").optional(),
  priority: integer("Priority", "0 is none, 1 urgent, 4 low.", 4).optional(),
  dueDate: text("Due", "A date such as 2026-01-31.").optional(),
};
const listed = {
  filter: object("Filter", "Which ones, as Linear writes filters.").optional(),
  first: integer("Limit", "The page size, up to 250.", 250).optional(),
  after: text("After", "The `pageInfo.endCursor` of the previous page.").optional(),
};
const pageInfo = "pageInfo { hasNextPage endCursor }";
const operation = { method: "POST", path: "/graphql", docs } as const;

/** https://linear.app/developers/graphql: every operation is a query or mutation at the same URL. */
export const linear = defineService({
  id: "linear",
  name: "Linear",
  icon: { letters: "Li", color: "#5e6ad2" },
  description: "Issues, comments, projects and teams of a Linear workspace.",
  baseUrl: "https://api.linear.app",
  credentials: [
    { type: "header", name: "Authorization", help: "The value is a personal API key (lin_api_…), without Bearer." },
    {
      type: "oauth2",
      help: "Your own application.",
      authorizationUrl: "https://linear.app/oauth/authorize",
      tokenUrl: "https://api.linear.app/oauth/token",
      scopes: "read write",
    },
  ],
  refusal: (body) => {
    const { errors } = (body ?? {}) as { errors?: unknown };
    if (!Array.isArray(errors) || errors.length === 0) return null;
    return String((errors[0] as { message?: unknown } | null)?.message ?? "it answered with errors");
  },
  operations: () => [
    {
      ...operation,
      id: "create-issue",
      name: "Create an issue",
      body: z.object({
        teamId: text("Team", "The team's id."),
        title: text("Title", "The issue's title."),
        ...issueFields,
      }),
      send: graphql(
        `mutation IssueCreate($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${issue} } } }`,
        ({ body }) => ({ input: body }),
      ),
      answer: answer({ data: answer({ issueCreate: answer({ success: someFlag, issue: shownIssue }) }) }),
    },
    {
      ...operation,
      id: "update-issue",
      name: "Update an issue",
      body: z.object({
        id: text("Issue", "The issue's id, or its identifier such as ENG-12."),
        title: text("Title", "The new title.").optional(),
        ...issueFields,
      }),
      send: graphql(
        `mutation IssueUpdate($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success issue { ${issue} } } }`,
        ({ body: { id, ...input } }) => ({ id, input }),
      ),
      answer: answer({ data: answer({ issueUpdate: answer({ success: someFlag, issue: shownIssue }) }) }),
    },
    {
      ...operation,
      id: "read-issue",
      name: "Read an issue",
      body: z.object({ id: text("Issue", "The issue's id, or its identifier such as ENG-12.") }),
      send: graphql(
        `query Issue($id: String!) { issue(id: $id) { ${issue} description priority assignee { id name } team { id key } } }`,
        ({ body }) => body,
      ),
      reads: true,
      answer: answer({ data: answer({ issue: shownIssue }) }),
    },
    {
      ...operation,
      id: "find-issues",
      name: "Find issues",
      body: z.object(listed),
      send: graphql(
        `query Issues($filter: IssueFilter, $first: Int, $after: String) { issues(filter: $filter, first: $first, after: $after) { nodes { ${issue} } ${pageInfo} } }`,
        ({ body }) => body,
      ),
      reads: true,
      answer: answer({ data: answer({ issues: answer({ nodes: z.array(shownIssue), pageInfo: someObject }) }) }),
    },
    {
      ...operation,
      id: "create-comment",
      name: "Comment on an issue",
      body: z.object({ issueId: text("Issue", "The issue's id."), body: text("Comment", "In Markdown.") }),
      send: graphql(
        "mutation CommentCreate($input: CommentCreateInput!) { commentCreate(input: $input) { success comment { id url } } }",
        ({ body }) => ({ input: body }),
      ),
      answer: answer({ data: answer({ commentCreate: answer({ success: someFlag }) }) }),
    },
    {
      ...operation,
      id: "list-teams",
      name: "List teams",
      body: z.object({ first: listed.first, after: listed.after }),
      send: graphql(
        `query Teams($first: Int, $after: String) { teams(first: $first, after: $after) { nodes { id key name } ${pageInfo} } }`,
        ({ body }) => body,
      ),
      reads: true,
      answer: answer({ data: answer({ teams: answer({ nodes: z.array(someObject) }) }) }),
    },
    {
      ...operation,
      id: "query",
      name: "Send a GraphQL query",
      body: z.object({
        query: text("Query", "A GraphQL query or mutation."),
        variables: object("Variables", "The query's variables.").optional(),
      }),
      answer: answer({ data: someObject }),
    },
  ],
});
