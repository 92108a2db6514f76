import { z } from "zod";
import type { ZodOpenApiPathItemObject } from "zod-openapi";
import { exampleOf } from "#lib/contract/examples/all.ts";
import { resumeNode } from "#lib/contract/execution-waits.ts";
import { answersWith } from "./errors.ts";

const tags = ["Resume addresses"];
const path = z.object({
  token: z.string().meta({
    description: "What the address of this node of this run ends with: a capability",
    examples: ["exec_01kad7c9p2f6atqxv3m0wz8y5n.dw.sR1pFx1ihTQiOZLejF2oDaRsPp3rHuaMh7X0kGr4Oso"],
  }),
});
const page = { "text/html": { schema: { type: "string" as const }, example: "<!doctype html>…" } };
const { body, answer } = exampleOf(resumeNode) ?? {};

/** The address of a node that waits for a call (`$resume['<node id>']`): for people in a browser, and for programs. */
export const resumeAddress: ZodOpenApiPathItemObject = {
  get: {
    operationId: "showResume",
    tags,
    summary: "Look at a step that waits",
    description:
      "A page with the step's form or a button; looking resumes nothing, whoever looks. It works without JavaScript.",
    security: [],
    requestParams: { path },
    responses: {
      200: { description: "The page: to be answered, or saying that nothing is to be done any more", content: page },
      404: { description: "A page that says that there is no such step", content: page },
    },
  },
  post: {
    operationId: "resume",
    tags,
    summary: "Resume a step that waits",
    description: `Lets the node go on, once; the body (JSON, a form or text) is its \`output.body\`. With a form, the answers
are checked against it. A call that comes before the run has got to the node is kept for it. A browser (\`Accept: text/html\`)
is answered with a page. 409 when it was resumed already or its time limit passed; 400 \`INVALID_STATUS\` when the run has ended.`,
    security: [],
    requestParams: { path },
    requestBody: { required: false, content: { "application/json": { schema: z.unknown(), example: body } } },
    responses: {
      200: {
        description: "It goes on",
        content: {
          "application/json": {
            schema: z.object({ success: z.literal(true), data: resumeNode.answer }),
            example: { success: true, data: answer },
          },
          ...page,
        },
      },
      ...answersWith([400, 404, 409, 413, 500, 503]),
    },
  },
};
