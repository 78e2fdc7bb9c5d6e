import { describe, expect, test } from 'vitest';
import { createKeepAlive } from './keep-alive.ts';

type Step = (keepAlive: ReturnType<typeof createKeepAlive>) => void;
const announced =
  (header?: string): Step =>
  (keepAlive) =>
    keepAlive.announced(header);
const open =
  (ms: number): Step =>
  (keepAlive) =>
    keepAlive.seenOpen(ms);
const closed =
  (ms: number): Step =>
  (keepAlive) =>
    keepAlive.seenClosed(ms);

describe('an idle connection is used again for', () => {
  test.each<[string, number, Step[]]>([
    ['4 seconds where nothing is known', 4_000, []],
    ['4 seconds if a shorter time was seen', 4_000, [open(3_000)]],
    ['as long as one was seen open', 30_000, [open(30_000), open(10_000)]],
    ['two minutes at most', 120_000, [open(120_001)]],
    ['a second less than the server announces', 59_000, [announced('timeout=60')]],
    ['half of a second that the server announces', 500, [announced('timeout=1')]],
    ['no time if the server announces none', 0, [announced('timeout=0')]],
    ['two minutes if the server announces more', 120_000, [announced('timeout=999999999')]],
    ['the announced time if others were seen open', 4_000, [open(90_000), announced('timeout=5')]],
    ['the announced time, beside other parameters', 4_000, [announced('max=100, timeout="5"')]],
    ['4 seconds if the announcement cannot be read', 4_000, [announced('timeout=soon, notimeout=9')]],
    ['4 seconds once the server announces nothing', 4_000, [announced('timeout=60'), announced()]],
    ['a tenth less than a server waited', 4_500, [open(20_000), closed(5_000)]],
    ['a tenth less than a server waited at least', 1_800, [closed(5_000), closed(2_000), closed(9_000)]],
    ['a tenth less than a server waited, though it announces more', 1_800, [announced('timeout=60'), closed(2_000)]],
    ['no time if the server closes at once', 0, [closed(0)]],
    ['a tenth less until others are open clearly longer', 4_500, [closed(5_000), open(5_500)]],
    ['as long as others are open clearly longer', 5_501, [closed(5_000), open(5_501)]],
    ['4 seconds after an early end that was an exception', 4_000, [open(60_000), closed(1_000), open(1_101)]],
  ])('%s', (_name, ms, steps) => {
    const keepAlive = createKeepAlive({ unknownMs: 4_000, mostMs: 120_000 });
    for (const step of steps) step(keepAlive);
    expect(keepAlive.usableMs()).toBe(ms);
  });
});
