import { describe, expect, test } from 'vitest';
import { openConditions } from './condition.ts';
import { mostTools, recordOf } from './record.ts';
import type { RouteFacts } from '../facts.ts';

const compile = openConditions();

const facts = ({
  request,
  ...changes
}: Partial<Omit<RouteFacts, 'request'>> & { request?: object } = {}): RouteFacts => ({
  request: {
    tokens: () => 1_200.4,
    modalities: () => ['text'],
    tools: () => ['web_search', 'lookup'],
    structuredOutput: false,
    stream: true,
    headers: () => new Map([['x-tier', 'gold']]),
    endUser: '',
    api: 'chat',
    ...request,
  },
  keyId: 'key_1',
  projectId: '',
  accountId: 'acme',
  accountTags: ['enterprise', 'eu'],
  budgetLeft: Number.POSITIVE_INFINITY,
  now: new Date('2026-11-27T14:59:59.999Z'),
  ...changes,
});

/** What a condition is for a request: its value, or why it failed. */
function valueOf(text: string, changes?: Parameters<typeof facts>[0]): unknown {
  const compiled = compile(text);
  if (!compiled.ok) return compiled.problem;
  return compiled.condition.holds(recordOf(facts(changes)));
}

describe('the record', () => {
  test.each([
    ['request.tokens == 1201'],
    ['request.tokens > 1200.5'],
    ['request.modalities == ["text"]'],
    ['"lookup" in request.tools && request.tools.size() == 2'],
    ['request.tools.exists(tool, tool.startsWith("web_"))'],
    ['request.tools.all(tool, tool.size() > 3)'],
    ['!request.structured_output'],
    ['request.stream'],
    ['request.headers["x-tier"] == "gold"'],
    ['!("x-other" in request.headers) && !has(request.headers.other)'],
    ['request.end_user == ""'],
    ['request.api == "chat"'],
    ['key.id == "key_1" && project.id == "" && account.id == "acme"'],
    ['"eu" in account.tags && account.tags.size() == 2 && !account.tags.exists(tag, tag == "trial")'],
    ['!(budget.left < 1000000)'],
    ['time.hour == 14 && time.weekday == "friday"'],
    ['time.hour in [13, 14] ? true : false'],
    ['request.api.upperAscii() == "CHAT" && string(1) == "1" && int("2") == 2 && double("0.5") == 0.5'],
  ])('%s', (text) => {
    expect(valueOf(text)).toBe(true);
  });

  test('has what is left of a budget as a number that compares with whole ones', () => {
    expect(valueOf('budget.left < 5', { budgetLeft: 4.99 })).toBe(true);
    expect(valueOf('budget.left < 5', { budgetLeft: 5 })).toBe(false);
    expect(valueOf('budget.left <= 0.0', { budgetLeft: -0.5 })).toBe(true);
  });

  test('has no tokens until a condition asks for them, and counts them once', () => {
    let counted = 0;
    const record = recordOf(facts({ request: { tokens: () => (counted += 1) } }));
    const holds = (text: string): boolean => {
      const compiled = compile(text);
      return compiled.ok && compiled.condition.holds(record);
    };
    expect([holds('request.stream'), counted]).toEqual([true, 0]);
    expect([holds('request.tokens == 1'), holds('request.tokens == 1'), counted]).toEqual([true, true, 1]);
  });

  test('has bounded lists and texts', () => {
    const tools = Array.from({ length: mostTools + 1 }, (_, at) => `tool_${at}`);
    expect(valueOf(`request.tools.size() == ${mostTools}`, { request: { tools: () => tools } })).toBe(true);
    const longer = {
      tools: () => ['a'.repeat(501)],
      headers: () => new Map([['x', 'b'.repeat(501)]]),
      endUser: 'c'.repeat(501),
    };
    const cut = 'request.tools[0].size() == 500 && request.headers.x.size() == 500 && request.end_user.size() == 500';
    expect(valueOf(cut, { request: longer })).toBe(true);
  });
});

describe('a condition is refused', () => {
  test.each([
    ['an unknown name', 'requests.tokens > 1', 'Unknown variable: requests (at character 1)'],
    ['an unknown member', 'budget.used > 1', "'budget' has no 'used'; it has left."],
    ['an unknown member in has()', 'has(time.minute)', "'time' has no 'minute'; it has hour, weekday."],
    ['an unknown member by its name', 'time["minute"] == 1', 'No such key: minute (at character 1)'],
    ['a mistake', 'request.tokens >', expect.stringContaining('EOF')],
    ['another type', 'request.tokens', "It must be true or false, not of the type 'int'."],
    ['types that cannot be compared', 'request.tokens == "many"', expect.stringContaining('no such overload')],
    ['a pattern', 'request.end_user.matches("(a+)+$")', expect.stringContaining("'matches' is not available")],
    ['a list that is made', 'request.tools.map(t, t).size() > 1', expect.stringContaining("'map' is not available")],
    ['a map', '{"a": 1}.size() > 0', expect.stringContaining('maxMapEntries')],
    ['a loop in a loop', 'request.tools.all(a, request.tools.all(b, a == b))', expect.stringContaining('steps')],
    ['a search in a loop', 'request.tools.all(a, a in request.tools)', expect.stringContaining('steps')],
    ['depth', `${'('.repeat(30)}true${')'.repeat(30)}`, expect.stringContaining('maxDepth')],
    ['breadth', Array.from({ length: 101 }, () => 'true').join('||'), expect.stringContaining('maxAstNodes')],
    [
      'names of the language of the gateway',
      'request.constructor == 1',
      expect.stringContaining("has no 'constructor'"),
    ],
  ])('for %s', (_name, text, problem) => {
    expect(compile(text)).toEqual({ ok: false, problem });
  });
});

test.each([
  ['a header that was not sent', 'request.headers["x-other"] != "gold"'],
  ['a division by zero', '1 / (request.tools.size() - 2) == 1'],
  ['a number too large', 'request.tokens * 9223372036854775807 > 0'],
])('a condition fails for %s', (_name, text) => {
  expect(() => valueOf(text)).toThrow();
});

test('what cannot be reached decides nothing', () => {
  expect(valueOf('request.stream || request.headers["x-other"] == "gold"')).toBe(true);
  expect(valueOf('!request.stream && request.headers["x-other"] == "gold"')).toBe(false);
});
