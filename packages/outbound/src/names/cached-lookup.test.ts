import type { LookupAddress } from 'node:dns';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { UrlRefusal } from '../address/url-refusal.ts';
import { type CachedLookup, createCachedLookup, type Lookup } from './cached-lookup.ts';
import { checkedLookup } from './checked-lookup.ts';

const v4 = (address: string): LookupAddress => ({ address, family: 4 });

let time: number;
/** What the system finds next; an error if it finds nothing. */
let found: LookupAddress[] | Error;
let lifetime: number | undefined;
let asked: string[];
let names: CachedLookup;

const system: Lookup = (hostname, _options, callback) => {
  asked.push(hostname);
  setImmediate(() => (found instanceof Error ? callback(found, []) : callback(null, found)));
};
const lifetimeOf = async (): Promise<number> => {
  if (lifetime === undefined) throw new Error('unknown');
  return lifetime;
};
const lookUp = (hostname = 'a.example', lookup = names.lookup) => promisify(lookup)(hostname, { all: true });
const turns = (): Promise<void> => new Promise((later) => setImmediate(() => setImmediate(later)));

beforeEach(() => {
  time = 0;
  found = [v4('192.0.2.1'), { address: '2001:db8::1', family: 6 }];
  lifetime = 60;
  asked = [];
  names = createCachedLookup({ lookup: system, lifetimeOf, now: () => time });
});

/** Looks a name up, then again after this time, and returns how often the system was asked meanwhile. */
async function askedAfter(ms: number): Promise<number> {
  await lookUp();
  await turns();
  time = ms;
  await lookUp();
  await turns();
  return asked.length;
}

test('returns every address, and the same ones again without asking', async () => {
  const addresses = found;
  expect(await lookUp()).toEqual(addresses);
  found = [v4('192.0.2.2')];
  expect(await lookUp()).toEqual(addresses);
  expect(asked).toEqual(['a.example']);
});

test('asks once for lookups at the same time', async () => {
  await Promise.all([lookUp(), lookUp(), lookUp('b.example')]);
  expect(asked).toEqual(['a.example', 'b.example']);
});

describe('a name is looked up again', () => {
  test.each<[string, number | undefined, number]>([
    ['after the lifetime of its addresses', 60, 60_000],
    ['after 5 seconds at least', 0, 5_000],
    ['after 5 minutes at most', 86_400, 300_000],
    ['after half a minute if no name server knows it', undefined, 30_000],
  ])('%s', async (_name, seconds, ms) => {
    lifetime = seconds;
    expect(await askedAfter(ms)).toBe(1);
    time = 0;
    asked = [];
    names = createCachedLookup({ lookup: system, lifetimeOf, now: () => time });
    expect(await askedAfter(ms + 1)).toBe(2);
  });
});

test('a stale address is used once more while it is looked up', async () => {
  const stale = found;
  await lookUp();
  await turns();
  time = 60_001;
  found = [v4('192.0.2.2')];
  expect(await lookUp()).toEqual(stale);
  await turns();
  expect(await lookUp()).toEqual(found);
});

test('a stale address is used for five minutes while it cannot be looked up, and no longer', async () => {
  const stale = found;
  await lookUp();
  await turns();
  found = new Error('no name server answers');
  time = 360_000;
  expect(await lookUp()).toEqual(stale);
  time = 360_001;
  await expect(lookUp()).rejects.toThrow('no name server answers');
});

test('a failure is not remembered', async () => {
  const addresses = found;
  found = new Error('no such name');
  await expect(lookUp()).rejects.toThrow('no such name');
  found = addresses;
  expect(await lookUp()).toEqual(addresses);
});

test('says of forgotten addresses whether they had been remembered from before', async () => {
  expect(names.forget('a.example')).toBe(false);
  await lookUp();
  expect(names.forget('a.example')).toBe(false);
  await lookUp();
  await lookUp();
  expect(names.forget('a.example')).toBe(true);
  expect(asked).toHaveLength(2);
});

test('remembers the last thousand names', async () => {
  for (let count = 0; count <= 1_000; count += 1) await lookUp(`${count}.example`);
  await lookUp('1.example');
  expect(asked).toHaveLength(1_001);
  await lookUp('0.example');
  expect(asked).toHaveLength(1_002);
});

describe('with rules', () => {
  const rules = { allowLocal: false };
  const refusal = new UrlRefusal('must be at a public address');

  test('a name with one private address is refused, also when it is remembered', async () => {
    found = [v4('8.8.8.8'), v4('10.0.0.1')];
    const lookup = checkedLookup(names.lookup, rules);
    await expect(lookUp('a.example', lookup)).rejects.toEqual(refusal);
    await expect(lookUp('a.example', lookup)).rejects.toEqual(refusal);
    expect(asked).toHaveLength(1);
  });

  test('addresses that others have remembered are checked', async () => {
    found = [v4('10.0.0.1')];
    expect(await lookUp()).toEqual(found);
    await expect(lookUp('a.example', checkedLookup(names.lookup, rules))).rejects.toEqual(refusal);
  });

  test('a name that becomes private is refused once it is looked up again', async () => {
    const lookup = checkedLookup(names.lookup, rules);
    const open = [v4('8.8.8.8')];
    found = open;
    expect(await lookUp('a.example', lookup)).toEqual(open);
    await turns();
    found = [v4('169.254.169.254')];
    time = 60_001;
    expect(await lookUp('a.example', lookup)).toEqual(open);
    await turns();
    await expect(lookUp('a.example', lookup)).rejects.toEqual(refusal);
  });
});
