import { forgotten } from './sockets/socket-answer.ts';

/** One disturbance, with its start and end. */
export interface DisturbanceRun {
  name: string;
  /** The service or server that is disturbed. */
  victim: string;
  from: number;
  until: number;
}

/** The result of a use that did not find what it had stored, which happens when Redis is killed meanwhile. */
export const lost = 'lost';

/** A killed edge also loses connections opened shortly after the kill. */
const afterKillMs = 500;

interface Ended {
  from: number;
  until: number;
  edge: number;
  result: string;
}

/**
 * What a killed server takes with it: the answers of an edge, and what Redis has stored. An edge that is rolled out refuses
 * connections, and a Redis that hangs stores nothing.
 */
export const isExpected = (each: Ended, disturbed: readonly DisturbanceRun[]): boolean =>
  disturbed.some(({ name, victim, from, until }) => {
    if (each.from > until + afterKillMs || each.until < from) return false;
    if (each.result === 'cut') return each.edge === 1 && /^(edge|compact) is killed/.test(name);
    if (each.result === 'no answer') return each.edge === 1 && /^(edge|compact) is (killed|rolled out)/.test(name);
    if (each.result === forgotten) return victim === 'redis';
    return each.result === lost && name.startsWith('redis is killed');
  });
