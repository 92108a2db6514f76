// PostgreSQL's COPY over a connection of `pg`, as streams: rows pass through in the form in which COPY tells them, and no
// more of them are held than the slower side lets through. `pg` hands on COPY's messages but leaves them out of its types.
import { Readable, Writable } from "node:stream";
import type pg from "pg";

type CopyConnection = pg.Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

const partBytes = 65_536;

/** `COPY … TO STDOUT`: its rows, in parts that may end anywhere. Destroyed before its end, it leaves the connection unusable. */
export class CopyOut extends Readable implements pg.Submittable {
  readonly #text: string;
  #connection: CopyConnection | undefined;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** How many there were; known at the end. */
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
    this.#parts.push(Buffer.from(chunk)); // `pg` reads what comes next into the same memory.
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
    // A long row is passed on as it is: another copy would be garbage as fast as rows come.
    if (!this.push(more.length === 0 ? first : Buffer.concat(this.#parts))) this.#connection?.stream.pause();
    this.#parts = [];
    this.#bytes = 0;
  }
}

/** `COPY … FROM STDIN`: takes rows, and finishes when the database has them. */
export class CopyIn extends Writable implements pg.Submittable {
  readonly #text: string;
  #connection: CopyConnection | undefined;
  /** What waits for the database to be ready for rows. */
  #onReady: (() => void) | undefined;
  #isReady = false;
  #onEnd: ((error?: Error | null) => void) | undefined;
  /** How many the database took; known at the end. */
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
