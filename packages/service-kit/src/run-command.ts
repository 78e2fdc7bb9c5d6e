import { ConfigError } from './config/read.ts';

export interface CommandLine<Tool extends { close(): Promise<void> }> {
  /** What these words ask for; `undefined` when they make no sense. It gives the text to print. */
  readonly command: (words: readonly string[]) => ((tool: Tool) => Promise<string>) | undefined;
  readonly usage: string;
  /** Reaches what the command works on; a wrong configuration is told like any other failure. */
  readonly open: () => Promise<Tool>;
}

/** A program that does one thing and ends: exit code 2 with the usage for words that make no sense, 1 with what went wrong. */
export async function runCommand<Tool extends { close(): Promise<void> }>(line: CommandLine<Tool>): Promise<never> {
  // A NATS server that does not answer is tried for ever: nothing that is still under way keeps this command.
  process.exit(await exitCodeOf(line).catch(explain));
}

async function exitCodeOf<Tool extends { close(): Promise<void> }>(line: CommandLine<Tool>): Promise<number> {
  const { usage, open } = line;
  const command = line.command(process.argv.slice(2));
  if (command === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  const tool = await open();
  try {
    process.stdout.write(await command(tool));
    return 0;
  } finally {
    await tool.close();
  }
}

function explain(error: unknown): number {
  const lines =
    error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)];
  process.stderr.write(`${lines.join('\n')}\n`);
  return 1;
}
