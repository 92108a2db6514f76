import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/** A flood of the shortest lines that a server can send takes a few tens of milliseconds for this much. */
const pieceBytes = 4_096;

/** How much may come over a connection before the next command is sent. */
export class Allowance {
  #bytes = 0;

  /** Resets the count. */
  allow(bytes: number): void {
    this.#bytes = bytes;
  }

  /** False if it is exceeded. */
  take(bytes: number): boolean {
    this.#bytes -= bytes;
    return this.#bytes >= 0;
  }
}

/** As the client's parser names it. */
const tooLarge = () => Object.assign(new Error("More came than was asked for"), { code: "ResponseTooLarge" });

/**
 * A connection as the client reads it: in small pieces, each in a turn of its own, because the client goes through
 * all lines of a piece in one; and closed where more comes than was asked for, because the client keeps all that comes.
 */
export class MeteredSocket extends Duplex {
  readonly #socket: Socket;
  #waiting: Buffer = Buffer.alloc(0);
  #isWanted = false;
  #hasEnded = false;
  #isReleased = false;

  constructor(socket: Socket, allowance: Allowance) {
    super({ readableHighWaterMark: pieceBytes });
    // The client drops its listeners when a connection becomes secure; an error would then end the process.
    this.on("error", () => {});
    this.#socket = socket;
    socket
      .pause()
      .on("data", (chunk: Buffer) => {
        if (!allowance.take(chunk.length)) return void this.destroy(tooLarge());
        socket.pause();
        this.#waiting = chunk;
        this.#give();
      })
      .on("end", () => {
        this.#hasEnded = true;
        this.#give();
      })
      .on("timeout", () => this.emit("timeout"))
      .on("error", (error) => this.destroy(error))
      .on("close", () => this.#hasEnded || this.destroy());
  }

  /** Reads no more: the connection becomes a secure one. What came before that is dropped. */
  release(): void {
    this.#isReleased = true;
    this.#waiting = Buffer.alloc(0);
  }

  /** Milliseconds without traffic after which it emits `timeout`; 0 for never. */
  setTimeout(ms: number): this {
    this.#socket.setTimeout(ms);
    return this;
  }

  override _read(): void {
    setImmediate(() => {
      this.#isWanted = true;
      this.#give();
    });
  }

  #give(): void {
    if (!this.#isWanted || this.#isReleased || this.destroyed) return;
    if (this.#waiting.length === 0) {
      if (this.#hasEnded) this.push(null);
      else this.#socket.resume();
      return;
    }
    this.#isWanted = false;
    const piece = this.#waiting.subarray(0, pieceBytes);
    this.#waiting = this.#waiting.subarray(pieceBytes);
    this.push(piece);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
