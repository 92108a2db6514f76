// A fake OAuth2 provider: checks PKCE, accepts codes once, rotates refresh tokens, and misbehaves on request.
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const application = { clientId: "millrace test", clientSecret: "a client's secret: +/&" };

/** How the next token request is answered: held until `release`, or without a token. */
type Next = "hold" | "garbage" | "huge" | "error" | "refuse";

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly scope: string;
}

export interface Provider {
  readonly url: string;
  /** The received token requests, as forms. */
  readonly requests: URLSearchParams[];
  /** Answers to the next token requests, in order; after those, normal ones. */
  readonly next: Next[];
  /** Lifetime of access tokens in seconds; undefined leaves it out. */
  seconds: number | undefined;
  /** Whether a refresh token is valid once only. */
  rotates: boolean;
  /** Issued tokens, latest last. */
  readonly accessTokens: string[];
  /** Revoked access tokens, which the API rejects. */
  readonly revoked: Set<string>;
  readonly refreshTokens: string[];
  release(): void;
  close(): Promise<void>;
}

export async function startProvider(): Promise<Provider> {
  const codes = new Map<string, Code>();
  const spent = new Set<string>();
  const held: (() => void)[] = [];
  const server = createServer((request, response) => void answer(request, response));

  const provider: Provider = {
    url: "",
    requests: [],
    next: [],
    seconds: 3_600,
    rotates: true,
    accessTokens: [],
    revoked: new Set(),
    refreshTokens: [],
    release: () => {
      for (const go of held.splice(0)) go();
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };

  const newToken = (kind: string) => `${kind}-${randomBytes(12).toString("hex")}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", provider.url);
    if (url.pathname === "/authorize") authorize(url.searchParams, response);
    else if (url.pathname === "/token") await token(request, response);
    else if (url.pathname === "/revoke-all") {
      for (const token of provider.accessTokens) provider.revoked.add(token);
      response.end();
    } else resource(request, response);
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const isSound =
      query.get("response_type") === "code" &&
      query.get("client_id") === application.clientId &&
      query.get("code_challenge_method") === "S256" &&
      /^[\w-]{43}$/.test(query.get("code_challenge") ?? "");
    if (!isSound) {
      response.writeHead(400).end("not a sound request");
      return;
    }
    const back = new URL(query.get("redirect_uri") ?? "");
    back.searchParams.set("state", query.get("state") ?? "");
    // The user's choice on the consent page.
    const denied = new URL(back);
    denied.searchParams.set("error", "access_denied");
    const code = newToken("code");
    codes.set(code, {
      challenge: query.get("code_challenge") ?? "",
      redirectUri: query.get("redirect_uri") ?? "",
      scope: query.get("scope") ?? "",
    });
    back.searchParams.set("code", code);
    const link = (address: URL, label: string) => `<a href="${address.href.replaceAll("&", "&amp;")}">${label}</a>`;
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<title>Provider</title><p>${link(back, "Allow")} ${link(denied, "Deny")}</p>`);
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += chunk;
    const form = new URLSearchParams(body);
    provider.requests.push(form);
    const behavior = provider.next.shift();
    const given = behavior === "garbage" || behavior === "huge" || behavior === "error" ? null : grant(form, request);
    if (behavior === "hold") await new Promise<void>((resolve) => held.push(resolve));
    const send = (status: number, text: string) => {
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    };
    if (behavior === "garbage") send(200, "<html>not a token</html>");
    else if (behavior === "huge") send(200, `{"access_token":"${"x".repeat(1_000_000)}"}`);
    else if (behavior === "error") send(503, `{"error":"temporarily_unavailable"}`);
    else if (behavior === "refuse" || given === null) send(400, `{"error":"invalid_grant"}`);
    else send(200, JSON.stringify(given));
  }

  function grant(form: URLSearchParams, request: IncomingMessage): object | null {
    if (!isApplication(form, request)) return null;
    const type = form.get("grant_type");
    if (type === "client_credentials") return tokens(form.get("scope") ?? "", false);
    if (type === "refresh_token") {
      const refresh = form.get("refresh_token") ?? "";
      if (spent.has(refresh) || !provider.refreshTokens.includes(refresh)) return null;
      if (provider.rotates) spent.add(refresh);
      return tokens("read write", provider.rotates);
    }
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (code?.challenge !== challenge || code.redirectUri !== form.get("redirect_uri")) return null;
    return tokens(code.scope, true);
  }

  function isApplication(form: URLSearchParams, { headers }: IncomingMessage): boolean {
    const [scheme, pair = ""] = (headers.authorization ?? "").split(" ");
    if (scheme !== "Basic") {
      return form.get("client_id") === application.clientId && form.get("client_secret") === application.clientSecret;
    }
    const [id, secret] = Buffer.from(pair, "base64")
      .toString()
      .split(":")
      .map((part) => decodeURIComponent(part.replaceAll("+", " ")));
    return id === application.clientId && secret === application.clientSecret && !form.has("client_secret");
  }

  function tokens(scope: string, withRefresh: boolean): object {
    const accessToken = newToken("access");
    provider.accessTokens.push(accessToken);
    if (withRefresh) provider.refreshTokens.push(newToken("refresh"));
    return {
      access_token: accessToken,
      token_type: "Bearer",
      scope,
      ...(provider.seconds === undefined ? {} : { expires_in: provider.seconds }),
      ...(withRefresh ? { refresh_token: provider.refreshTokens.at(-1) } : {}),
    };
  }

  /** Echoes requests that carry one of our tokens. */
  function resource({ headers }: IncomingMessage, response: ServerResponse): void {
    const shown = (headers.authorization ?? "").replace(/^Bearer /, "");
    const isKnown = provider.accessTokens.includes(shown) && !provider.revoked.has(shown);
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify({ at: provider.accessTokens.indexOf(shown), echo: headers.authorization ?? null }));
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(provider, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** The `data` of a credential for this provider. */
export function oauthData({ url }: Provider, overrides: object = {}): Record<string, string> {
  return {
    ...{ grant: "authorization_code", authorizationUrl: `${url}/authorize?prompt=consent`, tokenUrl: `${url}/token` },
    ...{ ...application, scopes: "read write" },
    ...overrides,
  };
}
