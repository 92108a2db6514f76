import { serve } from "#lib/http/serve.ts";
import { answerResume, showResume } from "#lib/http/trigger/resume.ts";
import { resumePort } from "#lib/runtime/drive/resume.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(
  {
    GET: async (request, { params }) => showResume(resumePort, String((await params).token), request),
    POST: async (request, { params }) => answerResume(resumePort, String((await params).token), request),
  },
  "trigger",
);
