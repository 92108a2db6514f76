// Serves one function of `vercel build`'s output as the platform does: in a separate process, which loads the
// function's launcher at the first call. PORT: its port; FUNCTION: the function's folder; MATCHED: its route. Answers
// `/ready` itself.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const { FUNCTION: folder = "", MATCHED: route = "/", PORT: port } = process.env;
process.chdir(folder);
const load = () => createRequire(import.meta.url)(join(folder, "___next_launcher.cjs"));
const server = createServer((request, response) => {
  if (request.url === "/ready") return response.end();
  request.headers["x-matched-path"] ??= route;
  const launcher = load();
  Promise.resolve((launcher.default ?? launcher)(request, response)).catch((error) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(Number(port), "127.0.0.1");
