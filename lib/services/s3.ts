import { z } from "zod";
import { answer, file, integer, nothing, someObject, someText, text } from "./model/fields.ts";
import { defineService } from "./model/service.ts";

const docs = (name: string) => `https://docs.aws.amazon.com/AmazonS3/latest/API/API_${name}.html`;
const bucket = text("Bucket", "The bucket's name.");
const key = text("Key", "The object's key, such as reports/2026/january.csv.");
const storedFile = answer({ file: someText, name: someText, contentType: someText, sha256: someText });

/** https://docs.aws.amazon.com/AmazonS3/latest/API: answers are XML. Other stores have the same API. */
export const s3 = defineService({
  id: "s3",
  name: "Amazon S3",
  icon: { letters: "S3", color: "#3f7d20" },
  description: "Objects in buckets of Amazon S3, or of a store that speaks its protocol.",
  baseUrl: null,
  baseUrlExample: "https://s3.eu-central-1.amazonaws.com",
  credentials: [{ type: "aws", help: "An access key of a user who may use the bucket, and the bucket's region." }],
  operations: () => [
    {
      id: "list-objects",
      name: "List objects",
      method: "GET",
      path: "/{bucket}",
      query: { "list-type": "2" },
      parameters: z.object({
        bucket,
        prefix: text("Prefix", "Only keys that begin with it.").optional(),
        delimiter: text("Delimiter", "Groups keys up to it: / for folders.").optional(),
        "max-keys": integer("Limit", "The page size, up to 1,000.", 1_000).optional(),
        "continuation-token": text("After", "The NextContinuationToken of the previous page.").optional(),
      }),
      answer: answer({ ListBucketResult: someObject }),
      answers: "xml",
      docs: docs("ListObjectsV2"),
    },
    {
      id: "download-object",
      name: "Download an object",
      method: "GET",
      path: "/{bucket}/{key+}",
      parameters: z.object({ bucket, key }),
      answer: storedFile,
      answers: "file",
      docs: docs("GetObject"),
    },
    {
      id: "upload-object",
      name: "Upload an object",
      method: "PUT",
      path: "/{bucket}/{key+}",
      parameters: z.object({ bucket, key }),
      body: z.object({ content: file("File", "A file of this flow.") }),
      bodyType: "file",
      fileField: "content",
      answer: nothing,
      docs: docs("PutObject"),
    },
    {
      id: "write-text",
      name: "Write a text",
      method: "PUT",
      path: "/{bucket}/{key+}",
      parameters: z.object({ bucket, key }),
      body: z.object({
        content: z.string("must be text").meta({ title: "Content", description: "The object's text." }),
      }),
      bodyType: "text",
      send: ({ body }) => body.content,
      answer: nothing,
      docs: docs("PutObject"),
    },
    {
      id: "copy-object",
      name: "Copy an object",
      method: "PUT",
      path: "/{bucket}/{key+}",
      parameters: z.object({
        bucket,
        key,
        "x-amz-copy-source": text("From", "The bucket and key of what is copied: /bucket/key, URL-encoded."),
      }),
      headers: ["x-amz-copy-source"],
      answer: answer({ CopyObjectResult: someObject }),
      answers: "xml",
      docs: docs("CopyObject"),
    },
    {
      id: "delete-object",
      name: "Delete an object",
      method: "DELETE",
      path: "/{bucket}/{key+}",
      parameters: z.object({ bucket, key }),
      answer: nothing,
      docs: docs("DeleteObject"),
    },
    {
      id: "list-buckets",
      name: "List buckets",
      method: "GET",
      path: "/",
      answer: answer({ ListAllMyBucketsResult: someObject }),
      answers: "xml",
      docs: docs("ListBuckets"),
    },
  ],
});
