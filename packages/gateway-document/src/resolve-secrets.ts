import type { GatewayDocument, SecretReference } from './document.ts';
import type { FileProblem } from '@switchyard/located-yaml';

/** Reads the text behind a reference. Throws an error that says why it cannot. */
export type ReadSecret = (reference: SecretReference) => Promise<string>;

export type SecretTexts = (reference: SecretReference) => string;

export interface ResolvedSecrets {
  textOf: SecretTexts;
  problems: readonly FileProblem[];
}

/** Reads every secret that the document refers to, before anything is changed. */
export async function resolveSecrets({ accounts }: GatewayDocument, read: ReadSecret): Promise<ResolvedSecrets> {
  const texts = new Map<SecretReference, string>();
  const problems: FileProblem[] = [];
  for (const { path, reference } of referencesIn(accounts)) {
    try {
      texts.set(reference, (await read(reference)).trim());
    } catch (error) {
      problems.push({ path, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { textOf: (reference) => texts.get(reference) ?? '', problems };
}

const referencesIn = (accounts: GatewayDocument['accounts']) =>
  Object.entries(accounts).flatMap(([account, { guardWebhooks = {}, providerKeys = {}, keys = {} }]) => [
    ...inSection(guardWebhooks, 'secret', ['accounts', account, 'guardWebhooks']),
    ...inSection(providerKeys, 'key', ['accounts', account, 'providerKeys']),
    ...inSection(keys, 'key', ['accounts', account, 'keys']),
  ]);

/** The references that entries of a section have in this member. */
const inSection = <Member extends string>(
  entries: Readonly<Record<string, { readonly [Name in Member]?: SecretReference | undefined }>>,
  member: Member,
  path: readonly string[],
) =>
  Object.entries(entries).flatMap(([name, { [member]: reference }]) =>
    reference === undefined ? [] : [{ path: [...path, name, member], reference }],
  );
