/** As much of a request as a trigger URL looks at: a `Request` is one, and so is what Node's own server receives. */
export interface IncomingCall {
  readonly method: string;
  readonly url: string;
  readonly headers: CallHeaders;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Lower-case names; repeated headers joined. */
export interface CallHeaders extends Iterable<[string, string]> {
  get(name: string): string | null;
}
