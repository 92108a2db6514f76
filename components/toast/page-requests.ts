import { explainFailure } from "#components/page/failure-notice.tsx";
import { showToast } from "./toast.ts";

const pauseMs = 2_000;
/** The answers of a proxy, or of a server that is starting or stopping. */
const awayStatuses = [502, 503, 504];

/**
 * Keeps the page when the server does not answer a request for another: Next's router would have the browser open it,
 * which then shows its own error in place of the app. Returns what ends this.
 */
export function keepPageWhileAway(): () => void {
  const plain = window.fetch;
  let close: Promise<() => void> | undefined;
  const say = (what: string, error: unknown, then?: string) => {
    void close?.then((hide) => hide());
    const { why, todo } = explainFailure(error);
    close = showToast({ message: `${what} ${why} ${then ?? todo}`.trim(), tone: "failed" });
  };
  const readPage = async (...request: Parameters<typeof fetch>): Promise<Response> => {
    for (let times = 0; ; times += 1) {
      const answer = await plain(...request).catch((error: unknown) => error as Error);
      if (answer instanceof Response && !awayStatuses.includes(answer.status)) {
        void close?.then((hide) => hide());
        return answer;
      }
      if (request[1]?.signal?.aborted) throw answer;
      // After the browser's Back, the address is that page's already.
      const isHere = new URL(String(request[0]), location.href).pathname === location.pathname;
      if (!isHere) {
        say("The page was not opened.", answer);
        // Has the router give up the page that it waits for.
        window.history.replaceState(null, "", location.href);
        return await new Promise(() => {});
      }
      if (times === 0) say("The page could not be loaded yet.", answer, "It appears as soon as the server answers.");
      await new Promise((resume) => setTimeout(resume, pauseMs));
    }
  };
  window.fetch = (...request) => (isForPage(request[1]) ? readPage(...request) : plain(...request));
  return () => {
    window.fetch = plain;
  };
}

/** Whether it is Next's request for a page, by its header. */
function isForPage(init: RequestInit | undefined): boolean {
  return (init?.method ?? "GET") === "GET" && new Headers(init?.headers).get("rsc") === "1";
}
