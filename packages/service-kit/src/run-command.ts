import { ConfigError } from './config/read.ts';

interface CommandLine<Tool extends { close(): Promise<void> }> {
  /**
   * Returns the command for these words, or `undefined` if they are invalid. The command resolves to the text to print.
   */
  readonly command: (words: readonly string[]) => ((tool: Tool) => Promise<string>) | undefined;
  readonly usage: string;
  /** Opens what the command works on. An invalid configuration is reported like any other failure. */
  readonly open: () => Promise<Tool>;
}

/**
 * Runs a command and exits: with code 2 and the usage for invalid arguments, with 1 and the error message for a
 * failure.
 */
export async function runCommand<Tool extends { close(): Promise<void> }>(line: CommandLine<Tool>): Promise<never> {
  // Exits explicitly, because connecting to a NATS server that does not answer is retried forever.
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
