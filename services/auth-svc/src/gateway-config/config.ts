import { type ConfigOf, defineConfig, flag } from '@tallyport/service-kit';
import { z } from 'zod';

/** The gateway document as a file that auth-svc applies. */
export const gatewayFileConfig = defineConfig({
  GATEWAY_CONFIG: {
    schema: z.string().min(1).optional(),
    example: '/etc/tallyport/gateway.yaml',
    description: 'Document of accounts, keys and members that auth-svc applies at the start and whenever it changes.',
  },
  GATEWAY_CONFIG_PRUNE: {
    schema: flag,
    default: 'false',
    description: 'Whether what is not in GATEWAY_CONFIG is deleted, in the sections that it has.',
  },
  GATEWAY_CONFIG_SECRETS: {
    schema: z.string().min(1).optional(),
    example: '/etc/tallyport/secrets',
    description: 'Folder of the files that GATEWAY_CONFIG names with fromFile. It cannot name other files.',
    contradiction: ({ GATEWAY_CONFIG, GATEWAY_CONFIG_SECRETS }) =>
      GATEWAY_CONFIG === undefined && GATEWAY_CONFIG_SECRETS !== undefined
        ? 'has no effect without GATEWAY_CONFIG; set both or neither'
        : undefined,
  },
});

export type GatewayFileConfig = ConfigOf<typeof gatewayFileConfig>;
