import type { LeftOvers, Path } from './left-over.ts';

/** Where a secret of the source will be read: the name of a variable. */
export interface SecretNames {
  /** The variable of a secret. A literal one gets a variable of its own, and is never part of the result. */
  nameOf(secret: string, suggestion: string, path: Path): string;
}

/** `reference` reads the name of the variable from a secret that is only a reference, in the notation of the source. */
export function nameSecrets(left: LeftOvers, reference: (secret: string) => string | undefined): SecretNames {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  return {
    nameOf(secret, suggestion, path) {
      const referred = reference(secret);
      if (referred !== undefined) return referred;
      const name = names.get(secret) ?? unusedName(taken, suggestion);
      names.set(secret, name);
      taken.add(name);
      left.add(path, `The file has the secret itself, which is not copied.`, `Put it into the variable ${name}.`);
      return name;
    },
  };
}

const longestStem = 100;

/** A variable for what has this name: `acme-1` with the end `KEY` is `ACME_1_KEY`. */
export const variableFor = (name: string, end: string): string =>
  `${name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')
    .slice(0, longestStem)}_${end}`.replace(/^(?=\d)/, '_');

/** The name itself, or with the first free number from 2. */
export function unusedName(taken: { has(name: string): boolean }, wanted: string, separator = '_'): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted}${separator}${count}`;
  return name;
}
