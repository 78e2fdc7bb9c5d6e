import { call, exchange, GatewayError, journal, notice, service } from '@tallyport/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createClient } from './client.ts';
import { inProcessLink } from './in-process.ts';
import type { Link } from './link.ts';
import { serve } from './server.ts';

const contract = service('shop', {
  price: call(z.object({ item: z.string(), count: z.number().int().min(1) }), z.object({ cents: z.number() })),
  stream: exchange(),
  soldOut: notice(z.object({ item: z.string() })),
  sales: journal(z.object({ id: z.string(), cents: z.number() })),
});

describe('clients and servers derived from a contract', () => {
  let link: Link;
  const badOutputs: string[] = [];
  beforeEach(async () => {
    badOutputs.length = 0;
    link = inProcessLink();
    await serve(
      link,
      contract,
      {
        price({ item, count }, { requestId }) {
          if (item === 'unpriced') throw new GatewayError('not_found', `No price for ${item} in ${requestId}.`);
          return { cents: item === 'broken' ? ('free' as unknown as number) : 5 * count };
        },
        stream: async ({ head }) => ({ head: { status: 200, headers: {} }, body: Buffer.from(head.requestId) }),
      },
      { onBadOutput: (operation) => badOutputs.push(operation) },
    );
  });
  afterEach(() => link.close());

  test('return the typed output of a call', async () => {
    expect(await createClient(link, contract).price({ item: 'nut', count: 3 })).toEqual({ cents: 15 });
  });

  test('reject invalid input as the caller’s fault and name the member', async () => {
    const answer = createClient(link, contract).price({ item: 'nut', count: 0 });
    await expect(answer).rejects.toMatchObject({
      code: 'invalid_parameters',
      status: 400,
      param: 'count',
      message: expect.stringContaining('count: '),
    });
  });

  test('hide invalid output from the caller and report it to the service', async () => {
    const answer = createClient(link, contract).price({ item: 'broken', count: 1 });
    await expect(answer).rejects.toMatchObject({
      code: 'internal_error',
      status: 500,
      message: expect.not.stringContaining('free'),
    });
    expect(badOutputs).toEqual(['price']);
  });

  test('pass on a typed error and the request id', async () => {
    const answer = createClient(link, contract).price({ item: 'unpriced', count: 1 }, { requestId: 'r7' });
    await expect(answer).rejects.toMatchObject({ code: 'not_found', message: 'No price for unpriced in r7.' });
  });

  test('end a call at its deadline', async () => {
    const slow = inProcessLink();
    const never = new Promise<{ cents: number }>(() => undefined);
    await serve(slow, contract, { price: () => never, stream: () => new Promise(() => undefined) });
    const answer = createClient(slow, contract).price({ item: 'nut', count: 1 }, { timeoutMs: 30 });
    await expect(answer).rejects.toMatchObject({ code: 'deadline_exceeded' });
    await slow.close();
  });

  test('deliver typed notices and drop those that do not match the contract', async () => {
    const { soldOut } = createClient(link, contract);
    const seen: unknown[] = [];
    const leave = soldOut.subscribe((payload) => seen.push(payload));
    soldOut.publish({ item: 5 } as unknown as { item: string });
    soldOut.publish({ item: 'nut' });
    await expect.poll(() => seen).toEqual([{ item: 'nut' }]);
    leave();
  });

  test('deliver typed journal entries and skip those that do not match the contract', async () => {
    const { sales } = createClient(link, contract);
    const seen: unknown[] = [];
    const failures: unknown[] = [];
    await sales.append({ id: '1', cents: 'many' } as unknown as { id: string; cents: number });
    await sales.append({ id: '2', cents: 7 });
    await sales.consume(async (entries) => void seen.push(...entries), { onFailure: (error) => failures.push(error) });
    await expect.poll(() => seen).toEqual([{ id: '2', cents: 7 }]);
    expect(failures).toHaveLength(1);
  });

  test('pass unreadable journal entries to onUnreadable, unchanged, until it succeeds', async () => {
    const { sales } = createClient(link, contract);
    const [seen, kept]: [unknown[], string[]] = [[], []];
    let isReady = false;
    const broken = { id: '1', cents: 'many', of: 'tomorrow' };
    await sales.append(broken as unknown as { id: string; cents: number });
    await sales.append({ id: '2', cents: 7 });
    await sales.consume(async (entries) => void seen.push(...entries), {
      async onUnreadable(unreadable) {
        if (!isReady) throw new Error('not yet');
        kept.push(...unreadable.map(({ entry }) => Buffer.from(entry).toString()));
      },
      onFailure: () => (isReady = true),
    });
    await expect.poll(() => seen).toEqual([{ id: '2', cents: 7 }]);
    expect(kept).toEqual([JSON.stringify(broken)]);
  });
});
