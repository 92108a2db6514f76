// The parts of GitHub that signing in needs: codes for the given user, each valid for one token.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface GithubUser {
  readonly id: number;
  readonly login: string;
  readonly emails: readonly { readonly email: string; readonly primary: boolean; readonly verified: boolean }[];
}

export interface FakeGithub {
  readonly url: string;
  /** Refused requests, with the reason. */
  readonly refused: string[];
  /** The user consents: returns the code that GitHub would redirect with. */
  agree(user: GithubUser): string;
  close(): void;
}

export async function fakeGithub(client: { id: string; secret: string }): Promise<FakeGithub> {
  const codes = new Map<string, GithubUser>();
  const tokens = new Map<string, GithubUser>();
  const refused: string[] = [];
  const token = (form: URLSearchParams, authorization: string) => {
    const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}`;
    const isClient = authorization === basic || form.get("client_secret") === client.secret;
    const user = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    if (!isClient || user === undefined) {
      refused.push(isClient ? "unknown code" : "unknown client");
      return { error: "bad_verification_code" };
    }
    const made = randomBytes(12).toString("hex");
    tokens.set(made, user);
    return { access_token: made, token_type: "bearer", scope: "read:user,user:email" };
  };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const authorization = request.headers.authorization ?? "";
    const user = tokens.get(authorization.replace(/^(Bearer|token) /i, ""));
    const answers: Record<string, () => unknown> = {
      "/login/oauth/access_token": () => token(new URLSearchParams(body), authorization),
      "/user": () => user && { id: user.id, login: user.login, name: user.login, email: "typed-by-hand@example.com" },
      "/user/emails": () => user?.emails,
    };
    const answer = answers[(request.url ?? "").split("?")[0] ?? ""]?.();
    response.writeHead(answer === undefined ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { message: "Bad credentials" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    agree: (user) => {
      const code = randomBytes(8).toString("hex");
      codes.set(code, user);
      return code;
    },
    close: () => server.close(),
  };
}
