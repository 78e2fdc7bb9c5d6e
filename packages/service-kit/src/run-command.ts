import { ConfigError } from './config/read.ts';

export interface CommandOutput {
  text: string;
  exitCode: number;
  /** What failed although there is a text. Explained after it. */
  failures?: readonly Error[];
}

interface CommandLine<Tool extends { close(): Promise<void> }> {
  /**
   * Returns the command for these words, or `undefined` if they are invalid. The command resolves to the text to print,
   * with the exit code if that is not 0.
   */
  readonly command: (words: readonly string[]) => ((tool: Tool) => Promise<string | CommandOutput>) | undefined;
  readonly usage: string;
  /** The exit code for a failure; 1 if absent. */
  readonly failureCode?: number;
  /** Opens what the command works on. An invalid configuration is reported like any other failure. */
  readonly open: () => Promise<Tool>;
}

/**
 * Runs a command and exits: with code 2 and the usage for invalid arguments, with 1 or `failureCode` and the error message
 * for a failure.
 */
export async function runCommand<Tool extends { close(): Promise<void> }>(line: CommandLine<Tool>): Promise<never> {
  // Exits explicitly, because connecting to a NATS server that does not answer is retried forever.
  process.exit(
    await exitCodeOf(line).catch((error: unknown) => {
      explain(error);
      return line.failureCode ?? 1;
    }),
  );
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
    const output = await command(tool);
    const {
      text,
      exitCode,
      failures = [],
    }: CommandOutput = typeof output === 'string' ? { text: output, exitCode: 0 } : output;
    process.stdout.write(text);
    for (const failure of failures) explain(failure);
    return exitCode;
  } finally {
    await tool.close();
  }
}

function explain(error: unknown): void {
  const lines =
    error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)];
  process.stderr.write(`${lines.join('\n')}\n`);
}
