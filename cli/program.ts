// Every command with its arguments and options. A command's code is loaded only when it is called, so that the others start
// faster.
import { Argument, Command as Parser } from "commander";
import type { Context } from "./context.ts";
import type { ExitCode } from "./failure.ts";

type Run = (context: Context, parser: Parser) => Promise<ExitCode>;

/** The parsed command, if any. */
export interface Invocation {
  run?: Run;
  isJson?: boolean;
}

const exits = `
Exit codes: 0 success, 1 something differs, failed or was refused, 2 wrong usage, 3 the server.
Environment: MILLRACE_URL, MILLRACE_API_KEY, NO_COLOR. Documentation: docs/command-line.md`;

/** The parser of the whole command line. Stores its result in `invocation`. */
export function programOf(invocation: Invocation, version: string): Parser {
  const program = new Parser("millrace");
  program.description("Flows as text: pull, review, test and push them.").version(version, "-V, --version");
  program.addHelpText("after", exits).showHelpAfterError("Run it with --help for what it takes.");
  program.helpCommand(false);

  /** Adds a command. What `load` gives receives the options and the arguments in order. */
  function add<Given extends readonly unknown[], Options extends object>(
    usage: string,
    about: string,
    load: () => Promise<(context: Context, options: Options, ...given: Given) => Promise<ExitCode>>,
  ): Parser {
    const parser = program.command(usage).description(about).allowExcessArguments(false);
    parser.option("--json", "print the result as JSON");
    return parser.action((...all: unknown[]) => {
      const given = all.slice(0, -2) as unknown as Given;
      const options = all.at(-2) as Options & { json?: boolean };
      invocation.isJson = options.json === true;
      invocation.run = async (context) => (await load())(context, options, ...given);
    });
  }

  add("login [url]", "keep an API key for a server", async () => (await import("./commands/login.ts")).login);
  add("pull", "write the server's flows into a folder", async () => (await import("./commands/pull.ts")).pull)
    .addArgument(folder())
    .option("--force", "write over what changed here");
  add("push", "send what changed in a folder to the server", async () => (await import("./commands/push.ts")).push)
    .addArgument(folder())
    .option("--dry-run", "only say what would change")
    .option("--prune", "delete flows whose files were deleted")
    .option("--activate", "make what is pushed active")
    .option("--create", "recreate flows that were deleted on the server");
  add(
    "status",
    "say how files and the server's flows differ",
    async () => (await import("./commands/status.ts")).status,
  ).addArgument(folder());
  add(
    "diff [a] [b]",
    "say what changed by meaning, since the last pull or between files, folders and commits",
    async () => (await import("./commands/diff.ts")).diff,
  ).option("--markdown", "print a comment for a pull request");
  add(
    "check [paths...]",
    "check flows, without a server",
    async () => (await import("./commands/check.ts")).check,
  ).option("--strict", "take advice as seriously as problems");
  add(
    "test [paths...]",
    "run the flows' tests, without a server",
    async () => (await import("./commands/test.ts")).test,
  ).option("--junit <file>", "write the results as JUnit XML too");
  add(
    "backtest <flow>",
    "replay a flow's past runs as it is here",
    async () => (await import("./commands/backtest.ts")).backtest,
  )
    .option("--last <count>", "the latest runs, 100 by default")
    .option("--server", "the flow as the server has it");
  add(
    "run <flow>",
    "run a flow on the server and wait for its end",
    async () => (await import("./commands/run.ts")).run,
  )
    .option("--data <json>", "its input: JSON, @file, or - for standard input")
    .option("--draft", "run the working copy")
    .option("--follow", "show nodes and logs as they come");
  add(
    "logs <run-or-flow>",
    "show what a run, or a flow's latest, wrote",
    async () => (await import("./commands/logs.ts")).logs,
  ).option("--follow", "keep printing until the run ends");
  add(
    "mcp",
    "serve the server's tools to an assistant that starts this program",
    async () => (await import("./commands/mcp.ts")).mcp,
  );
  add("import", "convert workflows of n8n into flows, without a server", async () => {
    const { importN8n } = await import("./commands/import-n8n.ts");
    return (context, options: { readonly into: string }, _format: string, files: readonly string[]) =>
      importN8n(context, options, files);
  })
    .addArgument(new Argument("<format>", "where they come from").choices(["n8n"]))
    .argument("<files...>", "what it exported")
    .option("--into <folder>", "where the flows' files are written", ".");
  add(
    "merge <base> <ours> <theirs>",
    "merge flows by meaning, into OURS",
    async () => (await import("./commands/merge.ts")).merge,
  )
    .option("--output <file>", "write the result there")
    .option("--path <path>", "what messages call the file");
  add(
    "git-setup",
    "have git compare and merge flows by meaning",
    async () => (await import("./commands/git-setup.ts")).gitSetup,
  ).option("--command <command>", "how git starts millrace", "npx millrace");
  add("completion <shell>", "print a script that completes commands: bash, zsh or fish", async () => {
    const { completionFor } = await import("./completion.ts");
    return async ({ terminal }, _options, shell: string) => {
      terminal.write(completionFor(shell, program));
      return 0;
    };
  });
  const driver = add(
    "diff-driver [given...]",
    "compare two versions of a file for git",
    async () => (await import("./commands/diff.ts")).diffDriver,
  );
  // Called by git only.
  (driver as unknown as { _hidden: boolean })._hidden = true;
  return program;
}

function folder(): Argument {
  return new Argument("[folder]", "the folder of the flows").default(".");
}
