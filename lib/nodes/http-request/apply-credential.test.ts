import { describe, expect, onTestFinished, test } from "vitest";
import { bucketKeys, startFakeBucket } from "#e2e/support/fake-bucket.ts";
import { createMask } from "#lib/executions/secrets/mask-secrets.ts";
import { createOutbound } from "#lib/platform/outbound/outbound.ts";
import { hostFailure } from "./apply-credential.ts";
import { fakeRun, runHttpRequest } from "./fake-context.ts";

const data = { accessKeyId: bucketKeys.id, secretAccessKey: bucketKeys.secret, region: "eu-central-1" };

test("a bucket that checks signatures accepts signed requests and no others", async () => {
  const bucket = await startFakeBucket();
  onTestFinished(() => bucket.close());
  const outbound = createOutbound({ allow: "127.0.0.1" });
  const send = async (config: object, secrets: Record<string, string> = data) => {
    const fake = fakeRun([], { type: "aws", data: secrets });
    const context = { ...fake.context, request: outbound.send.bind(outbound) };
    const url = `${bucket.endpoint}/shop/a%20b.txt`;
    const { output } = await runHttpRequest(
      { url, credential: "s3", failOnStatus: false, ...config },
      { ...fake, context },
    );
    return output as { status: number; body: unknown };
  };
  expect(await send({ method: "PUT", body: "hällo", bodyType: "text" })).toMatchObject({ status: 200 });
  expect(bucket.objects.get("/shop/a%20b.txt")?.toString()).toBe("hällo");
  expect(await send({})).toMatchObject({ status: 200, body: "hällo" });
  expect(await send({}, { ...data, secretAccessKey: "another-secret" })).toMatchObject({ status: 403 });
  expect(await send({ method: "DELETE" })).toMatchObject({ status: 204 });
  expect(bucket.refused).toEqual(["another signature"]);
});

test("a key bound to hosts signs for no other host", async () => {
  const run = fakeRun([], { type: "aws", data, allowedHosts: ["s3.eu-central-1.amazonaws.com"] });
  await expect(runHttpRequest({ url: "https://evil.test/", credential: "s3" }, run)).rejects.toMatchObject({
    code: "CREDENTIAL_HOST",
  });
  expect(run.sent).toHaveLength(0);
});

const config = { credential: "shop" };

describe("what a credential sends", () => {
  test.each([
    ["bearer", { token: "t-123" }, { authorization: "Bearer t-123" }],
    [
      "basic",
      { username: "ann", password: "pä:ss" },
      { authorization: `Basic ${Buffer.from("ann:pä:ss").toString("base64")}` },
    ],
    ["oauth2", { accessToken: "a-123", clientId: "millrace" }, { authorization: "Bearer a-123" }],
    ["header", { name: "X-Api-Key", value: "k-123" }, { "x-api-key": "k-123" }],
  ])("%s", async (type, data, headers) => {
    const run = fakeRun([{}], { type, data });
    await runHttpRequest(config, run);
    expect(run.sent[0]?.headers).toEqual(headers);
    expect(run.sent[0]?.secretHeaders?.map((name) => name.toLowerCase())).toEqual(Object.keys(headers));
  });

  test("a query parameter, after the flow's own", async () => {
    const run = fakeRun([{}], { type: "query", data: { name: "api key", value: "a&b" } });
    await runHttpRequest({ ...config, query: { a: 1 } }, run);
    expect(run.sent[0]).toMatchObject({ url: "https://api.test/path?a=1&api+key=a%26b", secretHeaders: [] });
  });

  test("it takes precedence over a header of the same name", async () => {
    const run = fakeRun([{}], { type: "bearer", data: { token: "t-123" } });
    await runHttpRequest({ ...config, headers: { Authorization: "mine" } }, run);
    expect(run.sent[0]?.headers).toEqual({ authorization: "Bearer t-123" });
  });
});

describe("a credential of the wrong kind fails the node before anything is sent", () => {
  test.each([
    ["secret", { value: "v-123" }, /\{\{ \$credentials\.shop \}\}/],
    ["hmac", { secret: "s-123" }, /signatures/],
    ["custom", { field: "f-123" }, /\$credentials\.shop\.field/],
    ["other", {}, /"other" is not known/],
    ["bearer", {}, /"token" is empty/],
    ["header", { name: "X-A" }, /"value" is empty/],
  ])("%s with %j", async (type, data, message) => {
    const run = fakeRun([{}], { type, data });
    const failed = runHttpRequest(config, run);
    await expect(failed).rejects.toMatchObject({ code: "CREDENTIAL_TYPE", field: "credential" });
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.not.toThrow(/-123/);
    expect(run.sent).toHaveLength(0);
  });

  test("a missing credential", async () => {
    await expect(runHttpRequest(config, fakeRun())).rejects.toMatchObject({ code: "CREDENTIAL_NOT_FOUND" });
  });
});

describe("the hosts it is bound to", () => {
  const bound = (allowedHosts: string[]) => fakeRun([{}], { type: "bearer", data: { token: "t-123" }, allowedHosts });

  test.each([
    ["https://api.test/", ["api.test"]],
    ["https://API.test:8443/", ["Api.Test"]],
    ["https://a.b.api.test/", ["*.api.test"]],
    ["https://api.test/", ["other.test", "api.test"]],
    ["https://anything.test/", []],
  ])("%s is within %j", async (url, allowedHosts) => {
    const run = bound(allowedHosts);
    await runHttpRequest({ ...config, url }, run);
    expect(run.sent).toHaveLength(1);
  });

  test.each([
    ["https://evil.test/", ["api.test"]],
    ["https://api.test.evil.test/", ["api.test"]],
    ["https://evilapi.test/", ["*.api.test"]],
    ["https://api.test/", ["*.api.test"]],
    ["https://x.api.test/", ["api.test"]],
  ])("%s is not within %j", async (url, allowedHosts) => {
    const run = bound(allowedHosts);
    await expect(runHttpRequest({ ...config, url }, run)).rejects.toMatchObject({ code: "CREDENTIAL_HOST" });
    expect(run.sent).toHaveLength(0);
  });
});

test("the refusal names the host as a URL, so that a lowercase secret in it is masked", () => {
  const message = hostFailure("shop", ["api.test"], "myshop.evil.test");
  expect(createMask(["MyShop"]).message(message)).toBe(
    'The credential "shop" may not be sent to https://•••.evil.test/: it is bound to api.test',
  );
});

test("a credential echoed by the server does not appear in the failure", async () => {
  const data = { username: "ann-1", password: "pass-word-1" };
  const basic = Buffer.from("ann-1:pass-word-1").toString("base64");
  const body = `you sent Basic ${basic}, that is pass-word-1`;
  const run = fakeRun([{ status: 401, headers: { "content-type": "text/plain" }, body }], { type: "basic", data });
  const failed = runHttpRequest(config, run);
  await expect(failed).rejects.toThrow(/answered 401: you sent •••, that is •••/);
});

test("the failure of a request with a query credential does not show it", async () => {
  const run = fakeRun([{ status: 500 }], { type: "query", data: { name: "key", value: "k-12345" } });
  await expect(runHttpRequest(config, run)).rejects.not.toThrow(/k-12345/);
});
