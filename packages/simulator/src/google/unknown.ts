import { type JsonObject } from '@tallyport/sandbox';
import { googleInvalid, type GoogleError } from './errors.ts';

export type GoogleFinding = GoogleError | undefined;

export function unknownOf(value: JsonObject, known: readonly string[], at: string): GoogleFinding {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const place = at === '' ? '' : ` at '${at}'`;
  return googleInvalid(`Invalid JSON payload received. Unknown name "${unknown}"${place}: Cannot find field.`);
}
