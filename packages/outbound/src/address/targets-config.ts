import { type ConfigOf, defineConfig, flag, list } from '@tallyport/service-kit';
import type { UrlRules } from './check-url.ts';
import { privateTargets } from './private-targets.ts';

/** What accounts may have the gateway call. The services that store URLs check them, others connect. */
export const targetsConfig = defineConfig({
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
  ALLOW_LOCAL_TARGETS: {
    schema: flag,
    default: 'false',
    description:
      'Also allows webhooks, MCP servers of accounts and images in requests over plain http and at loopback addresses. For development only.',
  },
});

/** The rules for webhooks and MCP servers of accounts. */
export const targetRules = (config: ConfigOf<typeof targetsConfig>): UrlRules => ({
  allowLocal: config.ALLOW_LOCAL_TARGETS,
  privateTargets: privateTargets(config.PRIVATE_TARGETS),
});
