import { answerResume, showResume } from "#lib/http/resume.ts";
import { serve } from "#lib/http/serve.ts";
import { resumePort } from "#lib/runtime/resume-port.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: async (request, { params }) => showResume(resumePort, String((await params).token), request),
  POST: async (request, { params }) => answerResume(resumePort, String((await params).token), request),
});
