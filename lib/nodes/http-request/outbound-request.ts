/** A streamed body, produced again for each attempt. */
export interface StreamedBody {
  /** Its length. */
  readonly bytes: number;
  /** Its parts that are the flow's text: searched for secrets. */
  readonly text: string;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** A request through the guarded outbound client. Header names may have any case. */
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

/** An answer with a streamed body, which may be read only in part. Reading throws `OutboundError`. */
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
