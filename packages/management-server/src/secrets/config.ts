import { defineConfig, list } from '@tallyport/service-kit';
import { z } from 'zod';
import { readMasterKey } from './master-key.ts';

const message =
  'must be 32 bytes in base64 or hex, or id:key, or several of them separated by commas; generate one: npm run secrets -- generate';

export const secretsConfig = defineConfig({
  SECRETS_KEY: {
    schema: list
      .pipe(z.array(z.string().refine((text) => readMasterKey(text) !== undefined, message)).min(1, message))
      .optional(),
    secret: true,
    description:
      'Encrypts provider keys; generate it with npm run secrets -- generate. Of several keys, the first encrypts and all decrypt. Without DATABASE_URL, a missing key is generated in DATA_DIR.',
    contradiction: ({ SECRETS_KEY: keys }) => (Array.isArray(keys) ? ambiguous(keys) : undefined),
  },
});

function ambiguous(keys: readonly unknown[]): string | undefined {
  const ids = keys.map((key) => readMasterKey(String(key))?.id);
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at);
  return repeated === undefined ? undefined : `has two keys with the id "${repeated}"; give each its own id`;
}
