/** Every error code of the API and the HTTP status it is answered with. */
export const errorStatus = {
  VALIDATION_ERROR: 400,
  INVALID_STATUS: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  CONCURRENCY_LIMIT: 409,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  EXECUTION_FAILED: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Thrown for a client error or a state that refuses the request; the HTTP wrapper turns it into the envelope. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  /** Seconds after which the same request may succeed: the `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** A resource that does not exist, or belongs to another workspace: the answer does not say which. */
export function notFound(subject: string): AppError {
  return new AppError("NOT_FOUND", `${subject} not found`);
}

/** A database that cannot be started, reached or migrated; the message is for the person who starts Millrace. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

/** A backup that cannot be made or restored; the message is for the person who tries. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
