import type { Caller, Limits, Principal } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { concurrencyRules } from './concurrency-rules.ts';
import { requestRules } from './request-rules.ts';
import { tokenRules } from './token-rules.ts';

const defaults = { chat: 600, images: 300, models: 1_200, mcp: 0 };
const principal = { accountId: 'acc', projectId: 'project', keyId: 'key' };
const caller = (limits: Caller['limits']): Caller => ({ principal, limits });
const chat = (limit: number): Limits => ({ requestsPerMinute: { chat: limit } });

test.each<[string, Caller['limits'], [string, number][]]>([
  ['the default of both is counted once', {}, [['account', 600]]],
  [
    'a smaller one of the key is counted too',
    { key: chat(10) },
    [
      ['key', 10],
      ['account', 600],
    ],
  ],
  ['a larger one of the key is never the one that is hit', { key: chat(700) }, [['account', 600]]],
  ['no limit of the key', { key: chat(0) }, [['account', 600]]],
  ['no limit of the account', { account: chat(0) }, [['key', 600]]],
  ['no limit at all', { key: chat(0), account: chat(0) }, []],
  [
    'the account above the default',
    { account: chat(900) },
    [
      ['key', 600],
      ['account', 900],
    ],
  ],
  ['a project has no default', { project: {} }, [['account', 600]]],
  [
    'each that is below the wider ones is counted, tightest first',
    { key: chat(5), project: chat(10), account: chat(20) },
    [
      ['key', 5],
      ['project', 10],
      ['account', 20],
    ],
  ],
  [
    'the same limit in all three is counted once',
    { key: chat(7), project: chat(7), account: chat(7) },
    [['account', 7]],
  ],
  [
    'a key above its project is never the one that is hit',
    { key: chat(11), project: chat(10) },
    [
      ['project', 10],
      ['account', 600],
    ],
  ],
  ['a project above its account neither', { project: chat(601) }, [['account', 600]]],
])('requests: %s', (_, limits, expected) => {
  const rules = requestRules(caller(limits), 'chat', defaults);
  expect(rules.map(({ scope, limit }) => [scope, limit])).toEqual(expected);
});

test.each<[string, Caller['limits'], [string, number][]]>([
  ['the default is of the account only', {}, [['account', 50]]],
  ['no limit at all', { account: { concurrency: 0 } }, []],
  [
    'each that is below the wider ones is counted, narrowest first',
    { key: { concurrency: 1 }, project: { concurrency: 2 }, account: { concurrency: 3 } },
    [
      ['key', 1],
      ['project', 2],
      ['account', 3],
    ],
  ],
  ['a key without a limit of its account', { key: { concurrency: 4 }, account: { concurrency: 0 } }, [['key', 4]]],
  ['a key that is not below its account', { key: { concurrency: 50 } }, [['account', 50]]],
  ['no limit of the key', { key: { concurrency: 0 } }, [['account', 50]]],
  [
    'a key that is not below its project',
    { key: { concurrency: 9 }, project: { concurrency: 9 } },
    [
      ['project', 9],
      ['account', 50],
    ],
  ],
])('running requests: %s', (_, limits, expected) => {
  const rules = concurrencyRules(caller(limits), 50);
  expect(rules.map(({ scope, limit }) => [scope, limit])).toEqual(expected);
});

test('each kind is counted separately, and one without a limit is not counted', () => {
  const names = (['chat', 'images', 'models', 'mcp'] as const).flatMap((kind) =>
    requestRules(caller({}), kind, defaults).map(({ name }) => name),
  );
  expect(names).toEqual(['requests:chat:account:acc', 'requests:images:account:acc', 'requests:models:account:acc']);
});

test.each<[Principal['tokensPerMinute'], number, [string, number][]]>([
  [undefined, 0, []],
  [undefined, 100, [['account', 100]]],
  [{ key: 10 }, 0, [['key', 10]]],
  [
    { key: 10, account: 50 },
    0,
    [
      ['key', 10],
      ['account', 50],
    ],
  ],
  [{ account: 0 }, 100, [['key', 100]]],
  [{ project: 10 }, 0, [['project', 10]]],
  [
    { key: 10, project: 20, account: 50 },
    0,
    [
      ['key', 10],
      ['project', 20],
      ['account', 50],
    ],
  ],
])('tokens: %j where the default is %d', (tokensPerMinute, defaultLimit, expected) => {
  const rules = tokenRules({ ...principal, ...(tokensPerMinute && { tokensPerMinute }) }, defaultLimit);
  expect(rules.map(({ scope, limit }) => [scope, limit])).toEqual(expected);
});
