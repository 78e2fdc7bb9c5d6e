import { readFileSync, statSync } from 'node:fs';
import type { ConfigSources } from './config-sources.ts';
import type { Setting } from './setting.ts';

/** What a setting was given as; `problem` when its file cannot be used. */
export type SettingText = { readonly text: string | undefined } | { readonly problem: string };

const fileSuffix = '_FILE';
/** The largest secret anyone mounts; a wrong path must not fill the memory. */
const maxFileBytes = 65_536;

/**
 * The text of a setting. Secrets may be given as the path of a file in `<NAME>_FILE`, which is how containers get them
 * mounted without showing them in their environment.
 */
export function settingText(name: string, setting: Setting, sources: ConfigSources): SettingText {
  const text = textOf(name, sources);
  const path = setting.secret === true ? textOf(name + fileSuffix, sources) : undefined;
  if (path === undefined) return { text };
  if (text !== undefined) return { problem: `${name + fileSuffix}: set it or ${name}, not both.` };
  return fileContent(name + fileSuffix, path);
}

/** `X_FILE` for `X`; `undefined` for every other name. */
export const namedByFile = (name: string): string | undefined =>
  name.endsWith(fileSuffix) ? name.slice(0, -fileSuffix.length) : undefined;

/** Empty means unset, in the real environment too: that is how a name of the file is taken back for one run. */
function textOf(name: string, { environment, file }: ConfigSources): string | undefined {
  const text = (environment[name] ?? file?.[name])?.trim();
  return text === '' ? undefined : text;
}

function fileContent(name: string, path: string): SettingText {
  try {
    if (statSync(path).size > maxFileBytes)
      return { problem: `${name}: ${path} is larger than ${maxFileBytes} bytes.` };
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? { problem: `${name}: ${path} is empty.` } : { text };
  } catch {
    return { problem: `${name}: must be the path of a file that can be read, but is ${JSON.stringify(path)}.` };
  }
}
