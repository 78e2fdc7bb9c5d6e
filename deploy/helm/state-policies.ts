import type { BaseService } from './base.ts';
import { block, templateOf } from './marks.ts';

/** Servers outside of the chart, by the setting with their URL. */
const servers = { nats: 'NATS_URL', redis: 'REDIS_URL', postgres: 'DATABASE_URL' } as const;

/** The template of the network policies that allow connections to servers outside of the chart. */
export const statePolicies = (services: readonly BaseService[]): string =>
  Object.entries(servers)
    .map(([server, setting]) => {
      const users = services.flatMap(({ name, settings }) => (settings.includes(setting) ? [name] : []));
      const condition = `and $.Values.networkPolicy.enabled $.Values.networkPolicy.${server}.to`;
      return `{{- if ${condition} }}\n---\n${templateOf(policy(server, users))}{{- end }}\n`;
    })
    .join('');

const policy = (server: string, users: readonly string[]): object => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: `to-${server}` },
  spec: {
    podSelector: { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: users }] },
    policyTypes: ['Egress'],
    egress: [
      {
        to: block(`$.Values.networkPolicy.${server}.to`),
        ports: block(`$.Values.networkPolicy.${server}.ports`),
      },
    ],
  },
});
