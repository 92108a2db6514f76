import { cache } from "react";
import { currentSession } from "#lib/auth/session.ts";

/** The session of the page being rendered, looked up once for both the layout and the data. */
export const pageSession = cache(currentSession);
