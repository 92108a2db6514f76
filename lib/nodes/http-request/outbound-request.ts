/** A body that is produced as it is sent, again for each request. */
export interface StreamedBody {
  /** Its length. */
  readonly bytes: number;
  /** What of it is text of the flow's: looked through for secrets. */
  readonly text: string;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** A request that leaves the service, through the guarded outbound client. Header names in any case. */
export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string | StreamedBody;
  /** Milliseconds for the whole exchange, redirects and body included. */
  readonly timeoutMs: number;
  readonly followRedirects: boolean;
  /** Headers with secrets: dropped, like `authorization` and `cookie`, when a redirect changes the origin. */
  readonly secretHeaders?: readonly string[];
  readonly signal: AbortSignal;
}

/** An answer whose body is read as it comes: to its end, or left early. Reading throws `OutboundError`. */
export interface OutboundStream {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers joined by ", ". */
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}
