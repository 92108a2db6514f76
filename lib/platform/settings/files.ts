// Settings for files: limits, and the bucket for files too large for the database.
import { z } from "zod";
import { httpUrl, text, wholeNumber } from "./values.ts";

const tebibyte = 1_099_511_627_776;

export const fileVariables = {
  FILES_INLINE_MAX: wholeNumber(0, 1_048_576).default(262_144),
  FILE_MAX_BYTES: wholeNumber(1024, 5_368_709_120).default(104_857_600),
  FILES_MAX_BYTES: wholeNumber(1024, tebibyte).default(10_737_418_240),
  FILES_S3_BUCKET: text(3, 63)
    .regex(/^[a-z0-9][a-z0-9.-]*$/, { error: "must be the name of a bucket" })
    .optional(),
  FILES_S3_ENDPOINT: httpUrl("must be a web address such as https://s3.eu-central-1.amazonaws.com").optional(),
  FILES_S3_REGION: text(1, 100).optional(),
  FILES_S3_PREFIX: text(1, 200)
    .regex(/^[\w!.*'()-]+(\/[\w!.*'()-]+)*\/?$/, { error: "must be the beginning of a key, such as millrace/files" })
    .optional(),
  FILES_S3_ACCESS_KEY_ID: text(1).optional(),
  FILES_S3_SECRET_ACCESS_KEY: text(1).optional(),
} as const;

const regionDefault = "us-east-1";
const needed = ["FILES_S3_BUCKET", "FILES_S3_ACCESS_KEY_ID", "FILES_S3_SECRET_ACCESS_KEY"] as const;

/** One line for each variable that a bucket needs, once any of them is set. */
export function missingForBucket(given: Readonly<Record<string, string | undefined>>): string[] {
  const set = Object.keys(given).find((name) => name.startsWith("FILES_S3_") && given[name]);
  if (set === undefined) return [];
  return needed.filter((name) => !given[name]).map((name) => `${name} must be set when ${set} is set`);
}

const schema = z.object(fileVariables);

export function fileSettingsOf(given: z.infer<typeof schema>) {
  return Object.freeze({
    /** Files of up to this many bytes are kept in the database. */
    inlineBytes: given.FILES_INLINE_MAX,
    /** The largest file. */
    fileBytes: given.FILE_MAX_BYTES,
    /** All files of a workspace together. */
    workspaceBytes: given.FILES_MAX_BYTES,
    bucket: bucketOf(given),
  });
}

export type Bucket = NonNullable<ReturnType<typeof bucketOf>>;

function bucketOf(given: z.infer<typeof schema>) {
  const { FILES_S3_BUCKET: bucket, FILES_S3_PREFIX: prefix = "", FILES_S3_REGION: region = regionDefault } = given;
  const { FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey } = given;
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const endpoint = given.FILES_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`;
  const folder = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  return Object.freeze({ url: `${endpoint}/${bucket}/${folder}`, region, accessKeyId, secretAccessKey });
}
