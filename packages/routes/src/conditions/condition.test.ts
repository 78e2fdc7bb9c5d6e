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
  decided: () => null,
  now: new Date('2026-11-27T14:59:59.999Z'),
  ...changes,
});

const undecided = () => undefined;

/** What a condition is for a request: its value, or why it failed. */
function valueOf(text: string, changes?: Parameters<typeof facts>[0]): unknown {
  const compiled = compile(text);
  if (!compiled.ok) return compiled.problem;
  return compiled.condition.holds(recordOf(facts(changes)), undecided);
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
      return compiled.ok && compiled.condition.holds(record, undecided);
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

describe('decide()', () => {
  const decided = (text: string, decide: (model: string, statement: string) => number | undefined) => {
    const compiled = compile(text);
    return compiled.ok ? [compiled.condition.holds(recordOf(facts()), decide), compiled.decisions] : compiled.problem;
  };

  test('is the probability that a model gives a statement, or its default', () => {
    const text = 'decide("jev", "It is code.", 0.2, 300) == 0.7 || decide("jev", "It is law.", 1) == 1.0';
    const decisions = [
      { model: 'jev', statement: 'It is code.', timeoutMs: 300 },
      { model: 'jev', statement: 'It is law.', timeoutMs: 1_000 },
    ];
    expect(decided(text, (model, statement) => (`${model}: ${statement}` === 'jev: It is code.' ? 0.7 : 0.9))).toEqual([
      true,
      decisions,
    ]);
    expect(decided(text, () => 0.5)).toEqual([false, decisions]);
    expect(decided(text, () => undefined)).toEqual([true, decisions]);
  });

  test('is found wherever it is asked', () => {
    const nested = '!(request.tools.exists(tool, tool == "x" || [decide("a", "b", 0.5)].size() == 1) && true)';
    expect(decided(nested, () => 0)).toEqual([false, [{ model: 'a', statement: 'b', timeoutMs: 1_000 }]]);
  });

  test('that cannot change the result may fail', () => {
    const fail = (): never => {
      throw new Error('It is not decided.');
    };
    expect(decided('decide("a", "b", 0.0) > 0.5 || request.stream', fail)).toEqual([true, expect.anything()]);
    expect(() => decided('decide("a", "b", 0.0) > 0.5 || !request.stream', fail)).toThrow();
  });

  const literal = expect.stringContaining('each as it is and not computed');
  test.each([
    ['no default', 'decide("a", "b") > 0.5', literal],
    ['five arguments', 'decide("a", "b", 0.0, 100, 1) > 0.5', expect.stringContaining('maxCallArguments')],
    ['a computed statement', 'decide("a", request.end_user, 0.0) > 0.5', literal],
    ['a computed default', 'decide("a", "b", -0.1) > 0.5', literal],
    ['an empty model', 'decide("", "b", 0.0) > 0.5', expect.stringContaining('1 to 200 characters')],
    ['an empty statement', 'decide("a", " ", 0.0) > 0.5', expect.stringContaining('must be a text')],
    ['a default above 1', 'decide("a", "b", 1.01) > 0.5', expect.stringContaining('between 0 and 1')],
    ['49 ms', 'decide("a", "b", 0.0, 49) > 0.5', "'decide' may wait 50 to 5000 milliseconds."],
    ['5,001 ms', 'decide("a", "b", 0.0, 5001) > 0.5', "'decide' may wait 50 to 5000 milliseconds."],
    ['half a millisecond', 'decide("a", "b", 0.0, 50.5) > 0.5', expect.stringContaining('no matching overload')],
    ['no comparison', 'decide("a", "b", 0.0)', "It must be true or false, not of the type 'double'."],
  ])('with %s is refused', (_name, text, problem) => {
    expect(compile(text)).toEqual({ ok: false, problem });
  });

  test.each([50, 5_000])('may wait %i ms', (time) => {
    expect(compile(`decide("a", "b", 0.0, ${time}) > 0.5`)).toMatchObject({
      ok: true,
      decisions: [{ timeoutMs: time }],
    });
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
