import {
  accountLimitsConfig,
  type ConfigOf,
  defineConfig,
  internalConfig,
  port,
  requestLimitsConfig,
  stateConfig,
  tokenLimitConfig,
} from '@tallyport/service-kit';
import { z } from 'zod';

export const consoleConfig = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  ...internalConfig,
  // Shown as the defaults of keys and accounts.
  ...requestLimitsConfig,
  ...accountLimitsConfig,
  ...tokenLimitConfig,
  CONSOLE_HOST: {
    schema: z.string(),
    default: '127.0.0.1',
    description: 'Address console-svc listens on for edge. Use 0.0.0.0 in a container.',
  },
  CONSOLE_PORT: {
    schema: port,
    default: '4004',
    description: 'Port of console-svc, which edge reaches at CONSOLE_URL. 0 lets the system choose.',
    contradiction: ({ CONSOLE_PORT, PORT, ADMIN_PORT }) =>
      CONSOLE_PORT !== 0 && (CONSOLE_PORT === PORT || CONSOLE_PORT === ADMIN_PORT)
        ? `is the same as ${CONSOLE_PORT === PORT ? 'PORT' : 'ADMIN_PORT'}, but each server needs its own port; choose another one`
        : undefined,
  },
});

export type ConsoleConfig = ConfigOf<typeof consoleConfig>;
