import type { BaseService } from './base.ts';
import { block, optional, templateOf } from './marks.ts';
import { labels, nameInRelease, selectorLabels } from './release-names.ts';

/** Servers outside of the chart, by the setting with their URL. */
const servers = { nats: 'NATS_URL', redis: 'REDIS_URL', postgres: 'DATABASE_URL' } as const;
/** Services that connect to webhooks and MCP servers of accounts. */
const targetUsers = ['auth-svc', 'chat-svc', 'image-svc', 'ledger-svc', 'mcp-svc'];

/** The template of the network policies that allow connections to servers outside of the chart. */
export function statePolicies(services: readonly BaseService[]): string {
  const usersOf = (setting: string): string[] =>
    services.flatMap(({ name, settings }) => (settings.includes(setting) ? [name] : []));
  const policies = Object.entries(servers).map(([server, setting]) =>
    unlessEmpty(server, policy(server, usersOf(setting))),
  );
  return [...policies, unlessEmpty('privateTargets', policy('privateTargets', targetUsers))].join('');
}

const unlessEmpty = (server: string, resource: object): string =>
  `{{- if and $.Values.networkPolicy.enabled $.Values.networkPolicy.${server}.to }}\n---\n${templateOf(resource)}{{- end }}\n`;

const policy = (server: string, users: readonly string[]): object => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: {
    name: nameInRelease(`to-${server.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`),
    labels: labels(),
    annotations: optional('$.Values.annotations'),
  },
  spec: {
    podSelector: {
      matchLabels: selectorLabels(),
      matchExpressions: [{ key: 'app.kubernetes.io/component', operator: 'In', values: users }],
    },
    policyTypes: ['Egress'],
    egress: [
      {
        to: block(`$.Values.networkPolicy.${server}.to`),
        ports: block(`$.Values.networkPolicy.${server}.ports`),
      },
    ],
  },
});
