import type { Attacker } from '../installation.ts';
import { type Attack, manage } from './attack.ts';

const dayMs = 86_400_000;
const day = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
const quarter = `from=${day(89)}&to=${day(0)}`;

/** Reads these paths of the management API in turn, with eight clients. */
const reading = (name: string, paths: readonly string[]): Attack => ({
  name,
  prepare: async (attacker: Attacker) => ({
    clients: 8,
    once: (turn, signal) => manage(attacker, `GET ${paths[turn % paths.length]}`, { signal }),
  }),
});

export const readingAttacks: readonly Attack[] = [
  reading('exports of ninety days', [`/usage/export?${quarter}`]),
  reading('analytics of ninety days', [
    ...['model', 'provider', 'key', 'project'].flatMap((by) => [
      `/usage?${quarter}&group_by=${by}`,
      `/usage/series?${quarter}&interval=hour&by=${by}&then_by=model`,
      `/usage/latency?${quarter}&by=${by}&top=100`,
      `/usage/errors?${quarter}&by=${by}`,
    ]),
    '/providers/history?days=90&by=offer',
  ]),
  reading('lists of 10,000 keys', ['/keys']),
  reading('searches in requests and the audit log', ['/requests?status=418', '/audit?q=nothing', '/budgets']),
];
