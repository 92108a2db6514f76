import { randomUUID } from "node:crypto";
import { notFound } from "#lib/errors.ts";
import { errorAnswer } from "#lib/http/envelope.ts";

/** Answers every unknown API path with the JSON envelope, never with a page. */
const answer = async () => errorAnswer(notFound("Path"), { "x-request-id": randomUUID() });

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
