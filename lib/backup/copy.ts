// PostgreSQL's COPY over a `pg` connection, as streams with backpressure. Rows pass through in COPY's own format. `pg`
// supports COPY's messages, but its types lack them.
import { Readable, Writable } from "node:stream";
import type pg from "pg";

type CopyConnection = pg.Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

const partBytes = 65_536;

/** `COPY … TO STDOUT`: rows in chunks that may end anywhere. If destroyed early, the connection is unusable. */
export class CopyOut extends Readable implements pg.Submittable {
  readonly #text: string;
  #connection: CopyConnection | undefined;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The number of rows; known at the end. */
  rows = 0;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection as CopyConnection;
    connection.query(this.#text);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#parts.push(Buffer.from(chunk)); // `pg` reuses the buffer.
    this.#bytes += chunk.length;
    if (this.#bytes >= partBytes) this.#pass();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text);
    if (this.#bytes > 0) this.#pass();
  }

  handleReadyForQuery(): void {
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  #pass(): void {
    const [first = Buffer.alloc(0), ...more] = this.#parts;
    // A long row is passed on without another copy.
    if (!this.push(more.length === 0 ? first : Buffer.concat(this.#parts))) this.#connection?.stream.pause();
    this.#parts = [];
    this.#bytes = 0;
  }
}

/** `COPY … FROM STDIN`: takes rows, and finishes when the database has stored them. */
export class CopyIn extends Writable implements pg.Submittable {
  readonly #text: string;
  #connection: CopyConnection | undefined;
  /** Called when the database is ready for rows. */
  #onReady: (() => void) | undefined;
  #isReady = false;
  #onEnd: ((error?: Error | null) => void) | undefined;
  /** The number of stored rows; known at the end. */
  rows = 0;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection as CopyConnection;
    connection.query(this.#text);
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#whenReady((connection) => {
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) connection.stream.once("drain", done);
      else done();
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#onEnd = done;
    this.#whenReady((connection) => connection.endCopyFrom());
  }

  handleCopyInResponse(): void {
    this.#isReady = true;
    this.#onReady?.();
    this.#onReady = undefined;
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text);
  }

  handleReadyForQuery(): void {
    this.#onEnd?.();
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  #whenReady(work: (connection: CopyConnection) => void): void {
    const go = () => {
      if (this.#connection) work(this.#connection);
    };
    if (this.#isReady) go();
    else this.#onReady = go;
  }
}

/** `COPY 12` */
function rowsOf(tag: string): number {
  return Number(/^COPY (\d+)/.exec(tag)?.[1] ?? 0);
}
