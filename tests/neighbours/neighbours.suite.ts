// Pause: for how long an attack lasts is what the test chooses.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quantilesOf } from '../../bench/measure/stats.ts';
import { partOf, wholly } from '../support/scale.ts';
import type { Answer, PreparedAttack } from './attacks/attack.ts';
import { attacks } from './attacks/index.ts';
import type { Installation } from './installation.ts';
import type { Chat } from './neighbour.ts';

const warmUpMs = 2_000;
const quietMs = 1_000;
const attackMs = 3_000;

/**
 * The longest that one turn of an event loop may take of a processor: bodies of 12 MB take the most, up to 440 ms, and
 * all else at most 100. Times of the neighbour depend on what else the machine does, so they are printed and not judged.
 */
const longestTurnMs = 600;

/** One account does the worst that it may, while another one chats 20 times a second. */
export function neighboursSuite(start: () => Promise<Installation>): void {
  let installation: Installation;
  beforeAll(async () => {
    installation = await start();
    await installation.neighbour.during(() => pause(warmUpMs));
  });
  afterAll(() => installation?.stop());

  const chosen = partOf(attacks, { one: 4 });
  test.for(chosen)('$name', async ({ name, prepare }) => {
    const { neighbour, attacker, longestTurns } = installation;
    const attack = await prepare(attacker);
    try {
      // Only to print it.
      const quiet = wholly ? await neighbour.during(() => pause(quietMs)) : [];
      await longestTurns();
      const answers = new Map<string, number>();
      const attacked = await neighbour.during(() => repeat(attack, answers));
      const turns = await longestTurns();
      const figures = () => ({ before: p99(quiet), during: p99(attacked), answers: Object.fromEntries(answers) });
      if (wholly) console.log(JSON.stringify({ name, turns, ...figures() }));
      expect(attacked.filter(({ result }) => result !== 'done')).toEqual([]);
      expect(Object.entries(turns).filter(([, ms]) => ms > longestTurnMs)).toEqual([]);
      expect([...answers.keys()].filter((how) => !isNamed(how))).toEqual([]);
    } finally {
      await attack.end?.();
    }
  });
}

/** An answer, an error with a code, or a client that left at the end. */
const isNamed = (how: string): boolean => /^2\d\d$|^[45]\d\d -?\w+$|^left$/.test(how);

const p99 = (chats: readonly Chat[]): Pick<Chat, 'firstMs' | 'wholeMs'> => ({
  firstMs: p99Of(chats.map(({ firstMs }) => firstMs)),
  wholeMs: p99Of(chats.map(({ wholeMs }) => wholeMs)),
});

const p99Of = (values: readonly number[]): number => Math.round(quantilesOf(Float64Array.from(values)).p99);

/** Repeats the attack with all its clients, which leave at the end, and counts how it was answered. */
async function repeat({ clients, once }: PreparedAttack, answers: Map<string, number>): Promise<void> {
  const end = AbortSignal.timeout(attackMs);
  let turn = 0;
  const client = async (): Promise<void> => {
    while (!end.aborted) {
      const how = await once(turn++, end).then(nameOf, (error: unknown) => (end.aborted ? 'left' : String(error)));
      answers.set(how, (answers.get(how) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/** A status, and the code of an error in the form of its API. */
const nameOf = ({ status, text }: Answer): string =>
  status < 300
    ? String(status)
    : `${status} ${(/"code":"?(-?\w+)/.exec(text) ?? /"type":"((?!error")\w+)/.exec(text))?.[1] ?? text.slice(0, 200)}`;
