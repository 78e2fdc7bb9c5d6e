import { defineConfig, list } from '@switchyard/service-kit';
import { z } from 'zod';
import { readMasterKey } from './master-key.ts';

const message = 'must be 32 bytes in base64 or hex, or id:key, or several comma-separated; npm run secrets -- generate';

export const secretsConfig = defineConfig({
  SECRETS_KEY: {
    schema: list
      .pipe(z.array(z.string().refine((text) => readMasterKey(text) !== undefined, message)).min(1, message))
      .optional(),
    secret: true,
    description:
      'What provider keys are encrypted with: a key of npm run secrets -- generate. Of several, the first encrypts and all decrypt. Without it and without DATABASE_URL one is made and kept in DATA_DIR.',
    contradiction: ({ SECRETS_KEY: keys }) => (Array.isArray(keys) ? ambiguous(keys) : undefined),
  },
});

function ambiguous(keys: readonly unknown[]): string | undefined {
  const ids = keys.map((key) => readMasterKey(String(key))?.id);
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at);
  return repeated === undefined ? undefined : `names two keys "${repeated}"; give each its own id`;
}
