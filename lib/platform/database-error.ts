/** A database that cannot be started, reached or brought up to date; the message is for the person who starts Millrace. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}
