import type { Examples } from "./example.ts";

const reference = {
  file: "file_01kadg9r4v8m2qzx6c1n5wb7ht",
  name: "hello.txt",
  contentType: "text/plain",
  size: 13,
  sha256: "68e656b251e67e8358bef8483ab0d51c6619f3e7a1a9f0e75838d41ff368f728",
};

export const fileExamples: Examples = {
  "POST /files": { body: "hello, world!", answer: reference },
  "GET /files/:id": { answer: "hello, world!" },
  "DELETE /files/:id": {},
};
