import { NodeFailure, type OutboundAnswer } from "../define.ts";
import { quotableText } from "./answer-body.ts";

const excerptCharactersMax = 300;

/** The failure of a node whose answer has an error status: who said what, and the beginning of why. */
export function statusFailure(request: string, answer: OutboundAnswer, secrets: readonly string[]): NodeFailure {
  const excerpt = excerptOf(quotableText(answer.headers["content-type"], answer.body), secrets);
  return new NodeFailure("HTTP_STATUS", `${request} answered ${answer.status}${excerpt === "" ? "" : `: ${excerpt}`}`);
}

/**
 * The beginning of a text in one line. Servers repeat what they were sent, and half a secret would pass every later
 * search for the whole one: so the credential's values go first, and the cut falls between words, never within one.
 */
function excerptOf(text: string, secrets: readonly string[]): string {
  let line = text.slice(0, 64 * 1024);
  for (const secret of secrets) if (secret.length >= 4) line = line.replaceAll(secret, "•••");
  line = line.replace(/\s+/g, " ").trim();
  if (line.length <= excerptCharactersMax) return line;
  const cut = line.slice(0, excerptCharactersMax + 1).search(/[\s"'<>{}[\](),;&][^\s"'<>{}[\](),;&]*$/);
  return `${line.slice(0, Math.max(0, cut))}…`;
}
