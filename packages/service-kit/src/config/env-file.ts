import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import type { ConfigSources } from './config-sources.ts';
import { ConfigError } from './read.ts';
import { namesInExample } from './env-example.ts';

/** The repository's `.env.example` is generated from all definitions, so it also serves as the list of all names. */
const exampleFile = fileURLToPath(new URL('../../../../.env.example', import.meta.url));

/** The process environment, `.env` of the working directory, and the setting names of all services. */
export function environmentSources(directory: string = process.cwd()): ConfigSources {
  const text = readIfThere(`${directory}/.env`);
  const example = readIfThere(exampleFile);
  return {
    environment: process.env,
    ...(text !== undefined && { file: parseEnv(text) }),
    ...(example !== undefined && { known: namesInExample(example) }),
  };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ConfigError([`${file}: cannot be read (${error instanceof Error ? error.message : String(error)}).`]);
  }
}
