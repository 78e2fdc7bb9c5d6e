import { type JsonObject } from '@switchyard/sandbox';
import { invalid, type GoogleError } from './errors.ts';

export type Finding = GoogleError | undefined;

export function unknownOf(value: JsonObject, known: readonly string[], at: string): Finding {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const place = at === '' ? '' : ` at '${at}'`;
  return invalid(`Invalid JSON payload received. Unknown name "${unknown}"${place}: Cannot find field.`);
}
