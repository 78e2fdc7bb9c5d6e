import { defineConfig, list } from '@tallyport/service-kit';
import { privateTargets } from './private-targets.ts';

/** Of services that connect to webhooks or MCP servers of accounts, and of the one that checks their URLs. */
export const privateTargetsConfig = defineConfig({
  PRIVATE_TARGETS: {
    schema: list.superRefine((entries, context) => {
      try {
        privateTargets(entries);
      } catch (error) {
        context.addIssue({ code: 'custom', message: `cannot be used: ${(error as RangeError).message}` });
      }
    }),
    default: '',
    example: 'dlp.security.svc,10.20.30.0/24',
    description:
      'Hosts and ranges of your private network that webhooks and MCP servers of accounts may use, also over plain http where the host is named. By default they use public addresses only.',
  },
});
