import { join } from "node:path";
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import { flowDocument } from "#lib/flow-text/flow-document.ts";
import { writeFlowText } from "#lib/flow-text/write-flow-text.ts";
import { convertN8n } from "#lib/n8n/convert.ts";
import { N8nDocumentError } from "#lib/n8n/document.ts";
import type { Report } from "#lib/n8n/report.ts";
import type { Command } from "../context.ts";
import { exitCodes, Failure } from "../failure.ts";
import { fileNameFor, findFlowFiles, requireText, writeAtomically } from "../folder/flow-files.ts";
import { makeFolder } from "../folder/folder.ts";

interface Imported extends Report {
  readonly from: string;
  /** The created flow file; null if the conversion failed. */
  readonly file: string | null;
  readonly error?: string;
}

/** Converts workflows exported from n8n to flow files, offline. Reports what is left to fix, and records it in the flow. */
export const importN8n: Command<[readonly string[]], { readonly into: string }> = async (
  { terminal },
  { into },
  files,
) => {
  const folder = makeFolder(into);
  const taken = new Set(findFlowFiles(folder));
  const imported: Imported[] = [];
  for (const from of files) {
    terminal.progress(`Converting ${imported.length + 1} of ${files.length}: ${from}`);
    for (const result of await convertFile(from)) {
      if ("error" in result) {
        imported.push({ from, file: null, converted: 0, gaps: [], error: result.error });
        terminal.print(`${terminal.paint("red", "not converted")} ${from}: ${result.error}`);
        continue;
      }
      const file = fileNameFor(result.document.flow.name, taken);
      taken.add(file);
      writeAtomically(join(folder, file), writeFlowText(result.document));
      imported.push({ from, file, ...result.report });
      const { converted, gaps } = result.report;
      terminal.print(`${file}: ${converted} nodes converted, ${gaps.length} to fix (from ${from})`);
      for (const { node, type, reason } of gaps)
        terminal.print(`    ${terminal.paint("yellow", node)} (${type}): ${reason}`);
    }
  }
  terminal.done();
  terminal.printJson({ imported });
  return imported.some(({ error }) => error !== undefined) ? exitCodes.differs : exitCodes.ok;
};

type Conversion = { readonly document: FlowDocument; readonly report: Report } | { readonly error: string };

/** A file contains one workflow, or a list of them as `n8n export:workflow --all` writes it. */
async function convertFile(from: string): Promise<Conversion[]> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(requireText(from));
  } catch (error) {
    if (error instanceof Failure) throw error;
    return [{ error: "is no JSON" }];
  }
  const made: Conversion[] = [];
  for (const workflow of Array.isArray(parsed) ? parsed : [parsed]) made.push(await convert(workflow));
  return made;
}

async function convert(workflow: unknown): Promise<Conversion> {
  try {
    const { flow, report } = await convertN8n(workflow);
    const gaps = report.gaps.map((gap) => ({ ...gap }));
    const settings = { ...flow.settings, canvas: { ...flow.settings.canvas, imported: { from: "n8n", gaps } } };
    const given = flowDocument.safeParse({ version: "1.0.0", flow: { ...flow, description: null, settings } });
    if (given.success) return { document: given.data as FlowDocument, report };
    return { error: given.error.issues[0]?.message ?? "gives no flow" };
  } catch (error) {
    if (!(error instanceof N8nDocumentError)) throw error;
    return { error: `${error.path === "" ? "" : `${error.path} `}${error.message}` };
  }
}
