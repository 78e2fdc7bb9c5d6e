import { readFile } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { SecretReference } from '@tallyport/gateway-document';

/**
 * Reads secrets from one folder only: otherwise an author of the document could send any file or setting of this
 * service to a provider.
 */
export const mountedSecrets =
  (folder: string | undefined) =>
  async (reference: SecretReference): Promise<string> => {
    if (!('fromFile' in reference))
      throw new Error('must be { fromFile: name }: a mounted document reads no variables');
    if (folder === undefined) throw new Error('needs GATEWAY_CONFIG_SECRETS, the folder of its file');
    const path = resolve(folder, reference.fromFile);
    if (!path.startsWith(resolve(folder) + sep)) throw new Error('must name a file in GATEWAY_CONFIG_SECRETS');
    return readFile(path, 'utf8').catch((cause: unknown) => {
      throw new Error(`refers to ${path}, which cannot be read`, { cause });
    });
  };
