import { expect, onTestFinished, test } from "vitest";
import { bucketKeys, startFakeBucket } from "#e2e/support/fake-bucket.ts";
import { createOutbound } from "#lib/platform/outbound/outbound.ts";
import { fakeRun, runHttpRequest } from "./fake-context.ts";

const data = { accessKeyId: bucketKeys.id, secretAccessKey: bucketKeys.secret, region: "eu-central-1" };

test("a bucket that checks signatures accepts what is signed, and nothing else", async () => {
  const bucket = await startFakeBucket();
  onTestFinished(() => bucket.close());
  const outbound = createOutbound({ allow: "127.0.0.1" });
  const send = async (config: object, held: Record<string, string> = data) => {
    const fake = fakeRun([], { type: "aws", data: held });
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

test("a key that is bound to hosts signs for no other", async () => {
  const run = fakeRun([], { type: "aws", data, allowedHosts: ["s3.eu-central-1.amazonaws.com"] });
  await expect(runHttpRequest({ url: "https://evil.test/", credential: "s3" }, run)).rejects.toMatchObject({
    code: "CREDENTIAL_HOST",
  });
  expect(run.sent).toHaveLength(0);
});
