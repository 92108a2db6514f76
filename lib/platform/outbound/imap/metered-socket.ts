import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/** Parsing this much of the shortest possible lines takes a few tens of milliseconds. */
const chunkBytes = 4_096;

/** How many bytes a server may send before the next command. */
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

/** With the code of the client's parser. */
const tooLarge = () => Object.assign(new Error("More came than was asked for"), { code: "ResponseTooLarge" });

/**
 * A socket that passes data on in small pieces, each in its own turn, because the client parses all lines of a piece in
 * one turn. Closes if the server sends more than was requested, because the client keeps everything in memory.
 */
export class MeteredSocket extends Duplex {
  readonly #socket: Socket;
  #waiting: Buffer = Buffer.alloc(0);
  #isWanted = false;
  #hasEnded = false;
  #isReleased = false;

  constructor(socket: Socket, allowance: Allowance) {
    super({ readableHighWaterMark: chunkBytes });
    // The client drops its listeners when it upgrades to TLS; an error would then end the process.
    this.on("error", () => {});
    this.#socket = socket;
    socket
      .pause()
      .on("data", (chunk: Buffer) => {
        if (!allowance.take(chunk.length)) return void this.destroy(tooLarge());
        socket.pause();
        this.#waiting = chunk;
        this.#pushChunk();
      })
      .on("end", () => {
        this.#hasEnded = true;
        this.#pushChunk();
      })
      .on("timeout", () => this.emit("timeout"))
      .on("error", (error) => this.destroy(error))
      .on("close", () => this.#hasEnded || this.destroy());
  }

  /** Stops reading, because the connection is upgraded to TLS. Earlier data is dropped. */
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
      this.#pushChunk();
    });
  }

  #pushChunk(): void {
    if (!this.#isWanted || this.#isReleased || this.destroyed) return;
    if (this.#waiting.length === 0) {
      if (this.#hasEnded) this.push(null);
      else this.#socket.resume();
      return;
    }
    this.#isWanted = false;
    const chunk = this.#waiting.subarray(0, chunkBytes);
    this.#waiting = this.#waiting.subarray(chunkBytes);
    this.push(chunk);
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
