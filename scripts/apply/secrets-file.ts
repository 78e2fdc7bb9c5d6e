import { rm, writeFile } from 'node:fs/promises';
import type { NewSecret } from '@tallyport/gateway-document';
import { stringify } from 'yaml';

export interface SecretsFile {
  /** Writes the file with this secret and all earlier ones. */
  add(secret: NewSecret): Promise<void>;
  /** Removes the file if no secret was added. */
  close(): Promise<void>;
}

/** Creates the file, which only its owner may read. Throws if it exists: it may have secrets that exist nowhere else. */
export async function createSecretsFile(path: string): Promise<SecretsFile> {
  const texts: Record<string, string> = {};
  await writeFile(path, manifest(texts), { flag: 'wx', mode: 0o600 }).catch((cause: unknown) => {
    throw new Error(`The file ${path} cannot be created. Name one that does not exist yet.`, { cause });
  });
  return {
    async add(secret) {
      texts[unusedName(texts, secret)] = secret.text;
      await writeFile(path, manifest(texts));
    },
    async close() {
      if (Object.keys(texts).length === 0) await rm(path);
    },
  };
}

const manifest = (stringData: Readonly<Record<string, string>>): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'tallyport-created' },
    type: 'Opaque',
    stringData,
  });

/** Kubernetes allows letters, digits, `-`, `_` and `.` in names of entries. */
function unusedName(texts: object, { account, kind, name }: NewSecret): string {
  const wanted = [account, kind, name].join('.').replaceAll(/[^-._a-zA-Z0-9]+/g, '-');
  let unused = wanted;
  for (let count = 2; unused in texts; count++) unused = `${wanted}-${count}`;
  return unused;
}
