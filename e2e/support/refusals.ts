import { expect } from "vitest";
import type { Answer } from "./api-client.ts";

/** Expects VALIDATION_ERROR whose details name this field. */
export function expectInvalid(answer: Answer, field: string, message: RegExp = /./): void {
  const details = detailsOf(answer);
  expect(Object.keys(details)).toContain(field);
  expect(details[field]).toMatch(message);
}

/** The details of a VALIDATION_ERROR. */
export function detailsOf(answer: Answer): Record<string, string> {
  expectRefusal(answer, 400, "VALIDATION_ERROR");
  return answer.error.details as Record<string, string>;
}

/** Expects the error envelope with this status and code. */
export function expectRefusal(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, body: answer.body }).toMatchObject({
    status,
    body: { success: false, error: { code, message: expect.stringMatching(/./) } },
  });
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
}
