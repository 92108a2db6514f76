// Preloaded into a server: sends its requests for GitHub to the provider at FAKE_GITHUB.
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";

const hosts = new Set(["github.com", "api.github.com"]);
const to = (url) => new URL(url.pathname + url.search, process.env.FAKE_GITHUB);

const { request } = https;
https.request = (first, ...rest) => {
  const url = typeof first === "string" || first instanceof URL ? new URL(first) : undefined;
  return url !== undefined && hosts.has(url.hostname) ? http.request(to(url), ...rest) : request(first, ...rest);
};
syncBuiltinESMExports();

const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  const url = typeof input === "string" || input instanceof URL ? new URL(input, "http://none") : undefined;
  return url !== undefined && hosts.has(url.hostname) ? fetch(to(url), init) : fetch(input, init);
};
