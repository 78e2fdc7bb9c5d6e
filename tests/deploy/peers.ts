import { z } from 'zod';
import type { Resource } from './rendered.ts';

const labelsSchema = z.object({ matchLabels: z.record(z.string(), z.string()) });

const peerSchema = z.strictObject({
  podSelector: labelsSchema.optional(),
  namespaceSelector: labelsSchema.optional(),
  ipBlock: z.object({ cidr: z.string() }).loose().optional(),
});

const ruleSchema = z.object({
  from: z.array(peerSchema).default([]),
  to: z.array(peerSchema).default([]),
  ports: z.array(z.object({ port: z.union([z.number(), z.string()]) })).default([]),
});

const policySchema = z.object({
  podSelector: z.object({
    matchLabels: z.record(z.string(), z.string()).default({}),
    matchExpressions: z
      .array(z.strictObject({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) }))
      .default([]),
  }),
  ingress: z.array(ruleSchema).default([]),
  egress: z.array(ruleSchema).default([]),
});

type Rule = z.infer<typeof ruleSchema>;

/**
 * The peers that the policies of an overlay allow a pod to reach (`to`) or to be reached by (`from`), as `redis:6379`;
 * `anywhere` if a rule names no peer, `any port` if it names no port.
 */
export function peersOf(resources: readonly Resource[], pod: string, direction: 'from' | 'to'): readonly string[] {
  const policies = resources.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => policySchema.parse(spec));
  const own = policies.filter(({ podSelector }) => selects(podSelector, pod));
  const rules = own.flatMap(({ ingress, egress }) => (direction === 'to' ? egress : ingress));
  return [...new Set(rules.flatMap((rule) => namesOf(rule, direction)))].toSorted();
}

function selects({ matchLabels, matchExpressions }: z.infer<typeof policySchema>['podSelector'], pod: string): boolean {
  const labels: Readonly<Record<string, string>> = { 'app.kubernetes.io/name': pod };
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

function namesOf(rule: Rule, direction: 'from' | 'to'): string[] {
  const peers = rule[direction].length === 0 ? ['anywhere'] : rule[direction].map(nameOf);
  const ports = rule.ports.length === 0 ? ['any port'] : rule.ports.map(({ port }) => String(port));
  return peers.flatMap((peer) => ports.map((port) => `${peer}:${port}`));
}

function nameOf({ podSelector, namespaceSelector, ipBlock }: z.infer<typeof peerSchema>): string {
  const labels = Object.values(podSelector?.matchLabels ?? {});
  const spaces = Object.entries(namespaceSelector?.matchLabels ?? {}).map(([key, value]) =>
    key === 'kubernetes.io/metadata.name' ? `${value}/` : key,
  );
  return [...spaces, ...labels].join('') || (ipBlock?.cidr ?? 'anywhere');
}
