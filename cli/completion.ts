import type { Command as Parser } from "commander";
import { Failure } from "./failure.ts";

interface Completed {
  readonly name: string;
  readonly about: string;
  readonly options: readonly { readonly flag: string; readonly about: string }[];
}

/** A shell script that completes commands and options, generated from the parser. Throws Failure. */
export function completionFor(shell: string, program: Parser): string {
  const hidden = (command: Parser) => (command as unknown as { _hidden?: boolean })._hidden === true;
  const commands = program.commands
    .filter((command) => !hidden(command))
    .map((command) => ({
      name: command.name(),
      about: command.description(),
      options: command.options.map(({ long, description }) => ({ flag: long ?? "", about: description })),
    }));
  const scripts: Record<string, (commands: readonly Completed[]) => string> = { bash, zsh, fish };
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined)
    throw new Failure("usage", `There is no completion for "${shell}", only for bash, zsh and fish`);
  return script(commands);
}

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, options }) => `    ${name}) words="${flags(options)}" ;;`);
  return `# eval "$(millrace completion bash)"
_millrace() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names(commands)}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *)
      case "\${COMP_WORDS[1]}" in
        completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$current")) ;;
        import) if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "n8n" -- "$current")); fi ;;
      esac ;;
  esac
}
complete -o default -F _millrace millrace
`;
}

function zsh(commands: readonly Completed[]): string {
  const described = commands.map(({ name, about }) => `    ${zshQuoted(`${name}:${about}`)}`);
  const cases = commands.map(({ name, options }) => {
    const all = options.map(({ flag, about }) => zshQuoted(`${flag}[${about.replace(/[[\]]/g, "")}]`));
    return `    ${name}) _arguments ${all.join(" ")} '*:file:_files' ;;`;
  });
  return `#compdef millrace
# eval "$(millrace completion zsh)"
_millrace() {
  local -a commands=(
${described.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT -= 1 ))
  case "$command" in
${cases.join("\n")}
  esac
}
compdef _millrace millrace
`;
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, about, options }) => [
    `complete -c millrace -n __fish_use_subcommand -f -a ${name} -d ${fishQuoted(about)}`,
    ...options.map(({ flag, about: what }) => {
      return `complete -c millrace -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)} -d ${fishQuoted(what)}`;
    }),
  ]);
  return `# millrace completion fish | source\n${lines.join("\n")}\n`;
}

function names(commands: readonly Completed[]): string {
  return commands.map(({ name }) => name).join(" ");
}

function flags(options: Completed["options"]): string {
  return options.map(({ flag }) => flag).join(" ");
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
