import { checkKey, looksLikeKey } from '@switchyard/contracts';
import { bootstrapConfig, type ConfigOf, defineConfig, stateConfig } from '@switchyard/service-kit';
import { secretsConfig } from './secrets/config.ts';

export const authConfig = defineConfig({
  DATA_DIR: stateConfig.DATA_DIR,
  DATABASE_URL: stateConfig.DATABASE_URL,
  ...secretsConfig,
  BOOTSTRAP_API_KEY: {
    ...bootstrapConfig.BOOTSTRAP_API_KEY,
    contradiction: ({ BOOTSTRAP_API_KEY: key }) => (typeof key === 'string' ? unusable(key) : undefined),
  },
});

export type AuthConfig = ConfigOf<typeof authConfig>;

/** What the process reads besides what the module reads. */
export const authProcessConfig = defineConfig({
  ...authConfig,
  NATS_URL: stateConfig.NATS_URL,
});

/** A key that no request could carry would only look as if it worked. */
function unusable(key: string): string | undefined {
  if (!/^[\x21-\x7e]{1,512}$/.test(key)) return 'must be at most 512 visible ASCII characters, without spaces';
  if (looksLikeKey(key) && !checkKey(key)) return 'starts like a key of ours, but its checksum is wrong; copy it again';
  return undefined;
}
