import { makeKey } from '@tallyport/contracts';
import { generateMasterKey } from '@tallyport/management-server';
import type { SecretsAdministration } from './secrets-administration.ts';

export const secretsCommandUsage = `Usage:
  npm run secrets -- generate      print a new key for SECRETS_KEY
  npm run secrets -- generate-key  print a new API key for a gateway document, which creates it
  npm run secrets -- reencrypt     re-encrypt all secrets with the first key of SECRETS_KEY; services can keep running
`;

type SecretsCommand = (secrets: SecretsAdministration) => Promise<string>;

/** Parses the arguments; `undefined` if they are invalid. */
export function secretsCommand(words: readonly string[]): SecretsCommand | undefined {
  const [verb, ...rest] = words;
  if (rest.length > 0) return undefined;
  if (verb === 'generate') return async () => `${generateMasterKey()}\n`;
  if (verb === 'generate-key') return async () => `${makeKey()}\n`;
  if (verb === 'reencrypt') return reencrypt;
  return undefined;
}

async function reencrypt(secrets: SecretsAdministration): Promise<string> {
  const { keyId, count } = await secrets.reencrypt();
  const done =
    count === 0
      ? 'All secrets are already encrypted'
      : `${count} ${count === 1 ? 'secret is' : 'secrets are'} encrypted`;
  return `${done} with the key "${keyId}". You can remove the other keys from SECRETS_KEY.\n`;
}
