import { defineConfig, flag } from '@switchyard/service-kit';

export const alertsConfig = defineConfig({
  ALERTS_ALLOW_LOCAL: {
    schema: flag,
    default: 'false',
    description: 'Also allow webhooks of alerts over plain http and at loopback addresses. For development only.',
  },
});
