import { basePathOf, type SimulatedVendors, startSimulator } from '@tallyport/simulator';
import { chatProviders, findChatProvider, type VendorBatchResult } from '@tallyport/providers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readTargets, type Targets } from '../targets/targets.ts';
import { targetKey } from '../targets/target-key.ts';
import { type BatchPlace, createVendorBatches, type VendorBatches } from './vendor-batches.ts';

const longestMs = 60_000;
const messages = [{ role: 'user', content: 'Hello' }];

/** What differs between vendors. */
interface VendorCase {
  /** As dispatch sends it. */
  path: string;
  body: object;
  /** The member of an answer that has its usage. */
  usage: string;
  /** Whether a batch whose opening was not confirmed is found before it is over. */
  found: 'open' | 'unsure';
  /** What opening a batch with an id twice does: a vendor that reads the lines later opens it. */
  repeated: 'open' | 'refused';
  /** Whether a batch that did not complete has the answers that it got. */
  keepsUnfinished: boolean;
}

const vendors: Readonly<Record<string, VendorCase>> = {
  anthropic: {
    path: '/messages',
    body: { model: 'claude-opus-4-8', max_tokens: 10, messages },
    usage: 'usage',
    found: 'unsure',
    repeated: 'refused',
    keepsUnfinished: true,
  },
  google: {
    path: '/models/gemini-3.6-flash:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    usage: 'usageMetadata',
    found: 'open',
    repeated: 'open',
    keepsUnfinished: false,
  },
  mistral: {
    path: '/chat/completions',
    body: { model: 'mistral-small-2603', messages },
    usage: 'usage',
    found: 'open',
    repeated: 'open',
    keepsUnfinished: true,
  },
  openai: {
    path: '/chat/completions',
    body: { model: 'gpt-4o-mini', messages },
    usage: 'usage',
    found: 'open',
    repeated: 'open',
    keepsUnfinished: true,
  },
  xai: {
    path: '/chat/completions',
    body: { model: 'grok-4.3', messages },
    usage: 'usage',
    found: 'open',
    repeated: 'open',
    keepsUnfinished: true,
  },
};

const withBatches = chatProviders.filter(({ batches: format }) => format !== undefined);

let simulator: SimulatedVendors;
let targets: Targets;
let batches: VendorBatches;
let names = 0;
beforeAll(async () => {
  simulator = await startSimulator({ apiKeys: ['one', 'two'] });
  targets = readTargets(withBatches, (stem) => ({
    keys: ['one', 'two'],
    baseUrl: simulator.url + basePathOf(withBatches.find(({ keyVariable }) => keyVariable === stem)?.id),
  }));
  batches = createVendorBatches({ targets, maxResponseBytes: 10_000, pausesMs: [1, 1] });
});
afterEach(() => {
  simulator.reset();
  simulator.batches.behave();
});
afterAll(async () => {
  await batches.close();
  await simulator.close();
});

test('every vendor with batches is tested', () => {
  expect(Object.keys(vendors)).toEqual(withBatches.map(({ id }) => id));
});

describe.each(Object.entries(vendors))('at %s', (providerId, { path, body, usage, found, repeated, ...vendor }) => {
  const placeOf = (key: number): BatchPlace => ({ providerId, key: targetKey(targets.all(providerId)[key]!) });
  const place = () => placeOf(0);
  const groupOf = (count: number) => {
    const name = `group${(names += 1)}x`;
    const endpoint = findChatProvider(providerId)?.batches?.endpointOf(path) ?? '';
    const lines = Array.from({ length: count }, (_, at) => ({
      id: `${name}-${at}`,
      endpoint,
      body: JSON.stringify(body),
    }));
    return { name, lines };
  };
  const open = async (count = 2) => {
    const group = groupOf(count);
    const opened = await batches.open(place(), group);
    if (opened.kind !== 'open') throw opened.error ?? new Error(opened.kind);
    return { ...group, id: opened.batch.id };
  };
  const untilOver = async (id: string) => {
    let looks = 1;
    while (!(await batches.look(place(), id)).isOver) looks += 1;
    return looks;
  };
  const resultsOf = async (id: string): Promise<VendorBatchResult[]> => {
    const results: VendorBatchResult[] = [];
    for await (const result of batches.results(place(), id)) results.push(result);
    return results.toSorted((one, other) => one.id.localeCompare(other.id));
  };
  /** Of two lines whose batch did not complete, the simulated vendors have answered the first. */
  const answeredOf = (lines: readonly { id: string }[]) =>
    vendor.keepsUnfinished ? lines.slice(0, 1).map(({ id }) => id) : [];
  const idsWithBody = (results: readonly VendorBatchResult[]) =>
    results.flatMap(({ id, body }) => (body === undefined ? [] : [id]));

  test('a batch is open for a while and then has an answer for each line', async () => {
    const { id, lines } = await open(3);
    expect(await untilOver(id)).toBe(3);
    const results = await resultsOf(id);
    expect(idsWithBody(results)).toEqual(lines.map((line) => line.id));
    expect(JSON.parse(results[0]?.body ?? '')).toMatchObject({ [usage]: {} });
  });

  test('a line that fails, or that the vendor loses, has no answer', async () => {
    simulator.batches.behave({
      fails: ({ customId }) => customId.endsWith('-0'),
      loses: ({ customId }) => customId.endsWith('-1'),
    });
    const { id, lines } = await open(3);
    await untilOver(id);
    expect(idsWithBody(await resultsOf(id))).toEqual([lines[2]?.id]);
  });

  test('a batch that expires or is cancelled has the answers that the vendor keeps of it', async () => {
    simulator.batches.behave({ ending: 'expired' });
    const expired = await open();
    await untilOver(expired.id);
    expect(idsWithBody(await resultsOf(expired.id))).toEqual(answeredOf(expired.lines));
    const cancelled = await open();
    await batches.cancel(place(), cancelled.id);
    expect(await untilOver(cancelled.id)).toBe(1);
    expect(idsWithBody(await resultsOf(cancelled.id))).toEqual(answeredOf(cancelled.lines));
  });

  test.each(['reset', 'status:500', 'cut:10'])(
    'a batch whose opening was answered with %s is found again, once',
    async (fault) => {
      const before = simulator.batches.opened.length;
      const group = groupOf(2);
      simulator.faults.set({ provider: providerId, model: 'batch', fault, times: 1 });
      expect(await batches.open(place(), group)).toMatchObject({ kind: 'unsure' });
      const looked = { name: group.name, sinceMs: Date.now(), longestMs };
      expect(simulator.batches.opened.length).toBe(before + 1);
      const { id = '' } = simulator.batches.opened.at(-1) ?? {};
      // A vendor without names shows whose a batch is only by its results.
      expect(await batches.find(place(), looked)).toMatchObject({ kind: found });
      await untilAllOver();
      expect(await batches.find(place(), looked)).toMatchObject({ kind: 'open', batch: { id } });
      expect(await batches.find(place(), { ...looked, name: 'another' })).toEqual({ kind: 'none' });
      expect(await batches.find(place(), { ...looked, sinceMs: Date.now() + 2 * 86_400_000 })).toEqual({
        kind: 'none',
      });
    },
  );

  const untilAllOver = async () => {
    for (const { id, vendor } of simulator.batches.opened) if (vendor === providerId) await untilOver(id);
  };

  test('a batch is not open if it is refused, or if the vendor has too many requests', async () => {
    simulator.faults.set({ provider: providerId, fault: 'status:429', times: 3 });
    expect(await batches.open(place(), groupOf(1))).toMatchObject({
      kind: 'none',
      error: { provider: { status: 429 } },
    });
    for (const status of [400, 403, 422]) {
      simulator.faults.set({ provider: providerId, model: 'batch', fault: `status:${status}`, times: 1 });
      expect(await batches.open(place(), groupOf(1))).toMatchObject({ kind: 'refused' });
    }
  });

  test('a vendor with too many requests is asked again', async () => {
    simulator.faults.set({ provider: providerId, model: 'batch', fault: 'status:429', times: 2 });
    expect(await batches.open(place(), groupOf(1))).toMatchObject({ kind: 'open' });
    const opening = simulator.requests.filter(({ method, model }) => method === 'POST' && model === 'batch');
    expect(opening.map(({ status }) => status)).toEqual([429, 429, 200]);
  });

  test('a batch that fails has no answers', async () => {
    const { id, lines } = await open(1);
    const group = { name: 'failing', lines: [...lines, ...lines] };
    const opened = await batches.open(place(), group);
    expect(opened.kind).toBe(repeated);
    expect(opened.kind === 'open' ? await resultsOf(opened.batch.id) : []).toEqual([]);
    expect(await batches.look(place(), id)).toMatchObject({ id });
  });

  test('a vendor that cannot be reached, or has no key of ours, has no batch', async () => {
    const away = createVendorBatches({
      targets: readTargets(withBatches, () => ({ keys: ['one'], baseUrl: 'http://127.0.0.1:9' })),
    });
    expect(await away.open(place(), groupOf(1))).toMatchObject({ kind: 'none' });
    await away.close();
    const keyless = createVendorBatches({ targets: { all: () => [] } });
    expect(await keyless.open(place(), groupOf(1))).toMatchObject({ kind: 'refused', error: { code: 'not_found' } });
    await keyless.close();
  });

  test('another key does not see it', async () => {
    const { id } = await open();
    await expect(batches.look(placeOf(1), id)).rejects.toMatchObject({ code: expect.any(String) });
    expect(await batches.look(place(), id)).toMatchObject({ id });
  });

  test('a result of more than may be read is refused', async () => {
    const narrow = createVendorBatches({ targets, maxResponseBytes: 100 });
    const { id } = await open();
    await untilOver(id);
    await expect(narrow.results(place(), id).next()).rejects.toThrow(/more than 100 bytes/);
    await narrow.close();
  });
});
