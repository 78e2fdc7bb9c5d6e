import { checkKey, looksLikeKey } from '@switchyard/contracts';
import {
  bootstrapConfig,
  type ConfigOf,
  defineConfig,
  port,
  publicConfig,
  stateConfig,
  wholeNumber,
} from '@switchyard/service-kit';
import { z } from 'zod';
import { secretsConfig } from './secrets/config.ts';
import { emailSchema } from './users/email.ts';
import { newPasswordSchema } from './users/password-schema.ts';

/** Pages, the management API and OAuth: what is HTTP by nature. */
export const authWebConfig = defineConfig({
  BASE_URL: publicConfig.BASE_URL,
  AUTH_HOST: {
    schema: z.string(),
    default: '127.0.0.1',
    description: 'Address auth-svc listens on for edge. 0.0.0.0 in a container.',
  },
  AUTH_PORT: {
    schema: port,
    default: '4003',
    description: 'Port of auth-svc; edge finds it by AUTH_URL. 0 lets the system choose.',
    contradiction: ({ AUTH_PORT, PORT, ADMIN_PORT }) =>
      AUTH_PORT !== 0 && (AUTH_PORT === PORT || AUTH_PORT === ADMIN_PORT)
        ? `is the same as ${AUTH_PORT === PORT ? 'PORT' : 'ADMIN_PORT'}; they are two servers, so give it another one`
        : undefined,
  },
});

export const authConfig = defineConfig({
  DATA_DIR: stateConfig.DATA_DIR,
  DATABASE_URL: stateConfig.DATABASE_URL,
  ...secretsConfig,
  USAGE_RETENTION_DAYS: {
    schema: wholeNumber(1, 36_500),
    default: '90',
    description: 'Days that single records of use are kept, by whole months. Sums by day stay.',
  },
  BOOTSTRAP_API_KEY: {
    ...bootstrapConfig.BOOTSTRAP_API_KEY,
    contradiction: ({ BOOTSTRAP_API_KEY: key }) => (typeof key === 'string' ? unusable(key) : undefined),
  },
  BOOTSTRAP_ADMIN_EMAIL: {
    schema: emailSchema.optional(),
    example: 'you@example.com',
    description: 'The first owner, made at a start where there is none. Without it a link is shown that makes one.',
    contradiction: ({ BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password }) =>
      (email === undefined) === (password === undefined)
        ? undefined
        : 'belongs together with BOOTSTRAP_ADMIN_PASSWORD; set both or neither',
  },
  BOOTSTRAP_ADMIN_PASSWORD: {
    schema: newPasswordSchema.optional(),
    secret: true,
    description: 'Their password until they change it.',
  },
});

/** The first owner, where settings name one. */
export const bootstrapAdmin = ({
  BOOTSTRAP_ADMIN_EMAIL: email,
  BOOTSTRAP_ADMIN_PASSWORD: password,
}: AuthConfig): { email: string; password: string } | undefined =>
  email !== undefined && password !== undefined ? { email, password } : undefined;

export type AuthConfig = ConfigOf<typeof authConfig>;
export type AuthWebConfig = ConfigOf<typeof authWebConfig>;

/** What the process reads besides what the module reads. */
export const authProcessConfig = defineConfig({
  ...authConfig,
  ...authWebConfig,
  NATS_URL: stateConfig.NATS_URL,
  JOURNAL_REPLICAS: stateConfig.JOURNAL_REPLICAS,
  JOURNAL_MAX_BYTES: stateConfig.JOURNAL_MAX_BYTES,
  REDIS_URL: stateConfig.REDIS_URL,
  PORT: publicConfig.PORT,
});

/** A key that no request could carry would only look as if it worked. */
function unusable(key: string): string | undefined {
  if (!/^[\x21-\x7e]{1,512}$/.test(key)) return 'must be at most 512 visible ASCII characters, without spaces';
  if (looksLikeKey(key) && !checkKey(key)) return 'starts like a key of ours, but its checksum is wrong; copy it again';
  return undefined;
}
