import type { BaseService } from './base.ts';
import { compactName, isCompact } from './compact.ts';
import { block, items, optional, templateOf } from './marks.ts';
import { labels, nameInRelease, selectorLabels } from './release-names.ts';

/** Servers outside of the chart, by the setting with their URL. */
const servers = { nats: 'NATS_URL', redis: 'REDIS_URL', postgres: 'DATABASE_URL' } as const;
/** Services that connect to webhooks and MCP servers of accounts. */
const targetUsers = ['auth-svc', 'chat-svc', 'image-svc', 'ledger-svc', 'mcp-svc'];

/** The template of the network policies that allow connections to servers outside of the chart. */
export function statePolicies(services: readonly BaseService[], compact: readonly BaseService[]): string {
  const policies = Object.entries(servers).map(([server, setting]) =>
    unlessEmpty(server, policy(server, withCompact(usersOf(services, setting), usersOf(compact, setting)))),
  );
  const targets = withCompact(targetUsers, [compactName]);
  return [...policies, unlessEmpty('privateTargets', policy('privateTargets', targets))].join('');
}

const usersOf = (services: readonly BaseService[], setting: string): string[] =>
  services.flatMap(({ name, settings }) => (settings.includes(setting) ? [name] : []));

/** The pods of the compact form need what the services in them need. */
function withCompact(users: readonly string[], inCompact: readonly string[]): readonly string[] {
  const isAdded = inCompact.includes(compactName) && !users.includes(compactName);
  return isAdded ? [...users, items(`ternary (list "${compactName}") list ${isCompact}`)] : users;
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
