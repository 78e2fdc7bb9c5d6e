import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The words of a command, parsed by its options; `undefined` if they are invalid. */
export function parsedWords<Config extends ParseArgsConfig>(
  words: readonly string[],
  config: Config,
): ReturnType<typeof parseArgs<Config>> | undefined {
  try {
    return parseArgs<Config>({ ...config, args: [...words] });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
