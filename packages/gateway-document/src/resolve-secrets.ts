import { type GatewayDocument, type SecretReference, secretReferenceSchema } from './document.ts';
import type { FileProblem } from '@tallyport/wire/yaml';

/** Reads the text behind a reference. Throws an error that says why it cannot. */
export type ReadSecret = (reference: SecretReference) => Promise<string>;

export type SecretTexts = (reference: SecretReference) => string;

interface ResolvedSecrets {
  textOf: SecretTexts;
  problems: readonly FileProblem[];
}

/** Reads every secret that the document refers to, before anything is changed. */
export async function resolveSecrets({ accounts }: GatewayDocument, read: ReadSecret): Promise<ResolvedSecrets> {
  const texts = new Map<SecretReference, string>();
  const problems: FileProblem[] = [];
  for (const { path, reference } of referencesIn(accounts, ['accounts'])) {
    try {
      texts.set(reference, (await read(reference)).trim());
    } catch (error) {
      problems.push({ path, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { textOf: (reference) => texts.get(reference) ?? '', problems };
}

interface PlacedReference {
  path: readonly string[];
  reference: SecretReference;
}

/** Nothing else in a document has the form of a reference. */
function referencesIn(value: unknown, path: readonly string[]): PlacedReference[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isReference(value)) return [{ path, reference: value }];
  return Object.entries(value).flatMap(([name, member]) => referencesIn(member, [...path, name]));
}

const isReference = (value: object): value is SecretReference => secretReferenceSchema.safeParse(value).success;
