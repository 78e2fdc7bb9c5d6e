import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { ConfigSources } from './config-sources.ts';
import { ConfigError } from './read.ts';
import settingNames from './setting-names.json' with { type: 'json' };

/** The process environment, `.env` of the working directory, and the setting names of all services. */
export function environmentSources(directory: string = process.cwd()): ConfigSources {
  const text = readIfThere(`${directory}/.env`);
  return {
    environment: process.env,
    ...(text !== undefined && { file: parseEnv(text) }),
    known: settingNames,
  };
}

/** A secret for one run, which no file may have: only the environment of this process. */
export const secretFromEnvironment = (name: string): string | undefined => process.env[name]?.trim() || undefined;

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ConfigError([`${file}: cannot be read (${error instanceof Error ? error.message : String(error)}).`]);
  }
}
