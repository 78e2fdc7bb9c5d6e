import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { SecretReference } from '@tallyport/gateway-document';

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads secrets from the environment, or from files relative to the document. */
export const secretReader =
  (document: string, environment: Variables) =>
  async (reference: SecretReference): Promise<string> => {
    if ('fromEnv' in reference) return fromEnvironment(environment, reference.fromEnv);
    return fromFile(resolve(dirname(document), reference.fromFile));
  };

function fromEnvironment(environment: Variables, name: string): string {
  const text = environment[name];
  if (text === undefined || text === '') throw new Error(`refers to ${name}, which is not set`);
  return text;
}

async function fromFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Error(`refers to ${path}, which cannot be read`, { cause });
  }
}
