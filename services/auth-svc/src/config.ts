import { checkKey, looksLikeKey } from '@tallyport/contracts';
import { emailSchema, newPasswordSchema } from '@tallyport/management';
import { bootstrapConfig, type ConfigOf, defineConfig, flag, publicConfig, stateConfig } from '@tallyport/service-kit';
import { z } from 'zod';
import { targetsConfig } from '@tallyport/outbound';
import { secretsConfig } from '@tallyport/management-server';
import { oauthConfig } from './oauth/config.ts';
import { gatewayFileConfig } from './gateway-config/config.ts';

/** What auth-svc serves over HTTP: pages, the management API and OAuth. */
export const authWebConfig = defineConfig({
  BASE_URL: publicConfig.BASE_URL,
  ...oauthConfig,
});

export const authConfig = defineConfig({
  DATA_DIR: stateConfig.DATA_DIR,
  DATABASE_URL: stateConfig.DATABASE_URL,
  ...secretsConfig,
  ...gatewayFileConfig,
  ...targetsConfig,
  LOG_CONTENT: {
    schema: flag,
    default: 'false',
    description:
      'Whether accounts may keep the prompts and answers of their requests, encrypted (contentLog of an account). Without it nothing is kept, also if an account has set it.',
  },
  IDENTITY_CONFIG: {
    schema: z.string().optional(),
    example: './identity.yaml',
    description:
      'The file with your identity providers (OpenID Connect) and rules for workloads, applied again when it changes. Without it people sign in with passwords.',
  },
  BOOTSTRAP_API_KEY: {
    ...bootstrapConfig.BOOTSTRAP_API_KEY,
    contradiction: ({ BOOTSTRAP_API_KEY: key }) => (typeof key === 'string' ? unusable(key) : undefined),
  },
  BOOTSTRAP_ADMIN_EMAIL: {
    schema: emailSchema.optional(),
    example: 'you@example.com',
    description:
      'E-mail address of the first owner, created if there is none. Without it, the log shows a link that creates one.',
    contradiction: ({ BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password }) =>
      (email === undefined) === (password === undefined)
        ? undefined
        : 'must be set together with BOOTSTRAP_ADMIN_PASSWORD; set both or neither',
  },
  BOOTSTRAP_ADMIN_PASSWORD: {
    schema: newPasswordSchema.optional(),
    secret: true,
    description: 'Initial password of the first owner.',
  },
});

/** The first owner, if the settings name one. */
export const bootstrapAdmin = ({
  BOOTSTRAP_ADMIN_EMAIL: email,
  BOOTSTRAP_ADMIN_PASSWORD: password,
}: AuthConfig): { email: string; password: string } | undefined =>
  email !== undefined && password !== undefined ? { email, password } : undefined;

export type AuthConfig = ConfigOf<typeof authConfig>;

/** The settings of the process: those of the module and more. */
export const authProcessConfig = defineConfig({
  ...authConfig,
  ...authWebConfig,
  NATS_URL: stateConfig.NATS_URL,
  REDIS_URL: stateConfig.REDIS_URL,
  PORT: publicConfig.PORT,
});

/** Rejects a key that no request could carry. */
function unusable(key: string): string | undefined {
  if (!/^[\x21-\x7e]{1,512}$/.test(key)) return 'must be at most 512 visible ASCII characters, without spaces';
  if (looksLikeKey(key) && !checkKey(key))
    return 'looks like a generated key, but its checksum does not match; copy it again';
  return undefined;
}
