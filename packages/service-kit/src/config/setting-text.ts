import { readFileSync, statSync } from 'node:fs';
import type { ConfigSources } from './config-sources.ts';
import type { Setting } from './setting.ts';

/** The text of a setting, or a problem if its file cannot be used. */
export type SettingText = { readonly text: string | undefined } | { readonly problem: string };

const fileSuffix = '_FILE';
/** Large enough for any secret. A wrong path must not fill the memory. */
const maxFileBytes = 65_536;

/**
 * Reads the text of a setting. For secrets, `<NAME>_FILE` may hold the path of a file instead: containers mount secrets
 * as files to keep them out of the environment.
 */
export function settingText(name: string, setting: Setting, sources: ConfigSources): SettingText {
  const text = givenText(name, sources);
  const path = setting.secret === true ? givenText(name + fileSuffix, sources) : undefined;
  if (path === undefined) return { text };
  if (text !== undefined) return { problem: `${name + fileSuffix}: set it or ${name}, not both.` };
  return fileContent(name + fileSuffix, path);
}

/** `X_FILE` for `X`; `undefined` for every other name. */
export const namedByFile = (name: string): string | undefined =>
  name.endsWith(fileSuffix) ? name.slice(0, -fileSuffix.length) : undefined;

/** Empty means unset, in the environment too, so that a value of the file can be unset for one run. */
export function givenText(name: string, { environment, file }: ConfigSources): string | undefined {
  const text = (environment[name] ?? file?.[name])?.trim();
  return text === '' ? undefined : text;
}

export function fileContent(name: string, path: string): SettingText {
  try {
    if (statSync(path).size > maxFileBytes)
      return { problem: `${name}: ${path} is larger than ${maxFileBytes} bytes.` };
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? { problem: `${name}: ${path} is empty.` } : { text };
  } catch {
    return { problem: `${name}: must be the path of a file that can be read, but is ${JSON.stringify(path)}.` };
  }
}
