import { sharedModel } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { partOf } from '../../../../tests/support/scale.ts';
import type { ChatBench, ClientAnswer } from '../testing/chat-bench.ts';
import { closedPort } from '../testing/closed-port.ts';
import { expectedError, expectedLateError } from '../testing/dialect-errors.ts';
import { away, cut, type Expectation, faultCases, tooLong } from '../testing/dialect-fault-cases.ts';
import {
  askInLane,
  type DialectLane,
  documentsIn,
  type LaneOptions,
  laneWith,
  secondProvider,
  startLanes,
} from '../testing/dialect-lanes.ts';

const vendors = {
  shared: { provider: 'sandbox-a', vendorModel: sharedModel, isNative: false },
  claude: { provider: 'anthropic', vendorModel: 'claude-opus-4-8', isNative: true },
  gpt: { provider: 'openai', vendorModel: 'gpt-6-luna', isNative: true },
  gemini: { provider: 'google', vendorModel: 'gemini-3-flash-preview', isNative: true },
};
const lane = laneWith(vendors);
const dialectLanes: readonly DialectLane[] = [
  lane('messages', 'shared', 'plain'),
  lane('messages', 'shared', 'events'),
  lane('messages', 'claude', 'plain'),
  lane('messages', 'claude', 'events'),
  lane('responses', 'shared', 'plain'),
  lane('responses', 'shared', 'events'),
  lane('responses', 'gpt', 'plain'),
  lane('responses', 'gpt', 'events'),
  lane('generateContent', 'shared', 'plain'),
  lane('generateContent', 'shared', 'events'),
  lane('generateContent', 'shared', 'array'),
  lane('generateContent', 'gemini', 'plain'),
  lane('generateContent', 'gemini', 'events'),
  lane('generateContent', 'gemini', 'array'),
  lane('interact', 'shared', 'plain'),
  lane('interact', 'shared', 'events'),
  lane('interact', 'gemini', 'plain'),
  lane('interact', 'gemini', 'events'),
];

let bench: ChatBench;
/** With short timeouts. Not the default, because a busy machine could look like a slow provider. */
let hasty: ChatBench;
const answers = new Map<DialectLane, ClientAnswer>();
beforeAll(async () => {
  [bench, hasty] = await Promise.all([
    startLanes(vendors),
    startLanes(vendors, {
      environment: {
        UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '3000',
        UPSTREAM_IDLE_TIMEOUT_MS: '3000',
        UPSTREAM_PLAIN_TIMEOUT_MS: '3000',
      },
    }),
  ]);
  for (const lane of dialectLanes) answers.set(lane, await askInLane(bench, lane));
});
afterEach(() => {
  for (const each of [bench, hasty]) each.simulator.reset();
});
afterAll(() => Promise.all([bench?.close(), hasty?.close()]));

const wholeAnswer = (lane: DialectLane): ClientAnswer => answers.get(lane) ?? { status: 0, headers: {}, text: '' };
const wholeDocuments = (lane: DialectLane): Seen['documents'] => documentsIn(lane, wholeAnswer(lane));
const strike = ({ simulator }: ChatBench, fault: string): void => {
  for (const provider of new Set(dialectLanes.map((lane) => lane.provider))) simulator.faults.set({ provider, fault });
};

/** The whole answer that is expected, given the documents of the one received. */
function expected(lane: DialectLane, expectation: Expectation, received: readonly object[]): unknown {
  const documents = wholeDocuments(lane);
  if (expectation === 'whole') return { status: 200, documents };
  if ('refused' in expectation) {
    const { refused } = expectation;
    return { status: refused.status, documents: [expectedError(lane, refused)] };
  }
  const before = documents.slice(0, received.length - 1);
  return { status: 200, documents: [...before, expectedLateError(lane, expectation.brokenOff, before)] };
}

interface Seen {
  status: number;
  documents: Record<string, unknown>[];
}

async function seen(on: ChatBench, lane: DialectLane, options: LaneOptions = {}): Promise<Seen> {
  const answer = await askInLane(on, lane, options);
  return { status: answer.status, documents: documentsIn(lane, answer) };
}

const inEveryLane = async <Result>(work: (lane: DialectLane) => Promise<Result>): Promise<Map<DialectLane, Result>> =>
  new Map(await Promise.all(dialectLanes.map(async (lane) => [lane, await work(lane)] as const)));

const named = <Result>(
  results: ReadonlyMap<DialectLane, Result>,
  valueOf: (lane: DialectLane, result: Result) => unknown = (_lane, result) => result,
): Record<string, unknown> =>
  Object.fromEntries([...results].map(([lane, result]) => [lane.name, valueOf(lane, result)]));

test.each(faultCases)('$fault is reported in the form of each API', async ({ fault, plain, stream, waits }) => {
  const on = waits ? hasty : bench;
  strike(on, fault);
  const received = await inEveryLane((lane) => seen(on, lane));
  const expectationOf = ({ form }: DialectLane) => (form === 'plain' ? plain : stream);
  expect(named(received)).toEqual(
    named(received, (lane, { documents }) => expected(lane, expectationOf(lane), documents)),
  );
});

test.each(faultCases.filter(({ moves }) => moves))('after $fault another provider answers', async (each) => {
  const on = each.waits ? hasty : bench;
  strike(on, each.fault);
  const answers = await inEveryLane((lane) => askInLane(on, lane, { fallback: true }));
  const isServed = ({ form }: DialectLane) => form !== 'plain' && each.stream === 'whole';
  expect(named(answers, (lane, answer) => [answer.headers['x-tallyport-attempts'], documentsIn(lane, answer)])).toEqual(
    named(answers, (lane) => (isServed(lane) ? ['1', wholeDocuments(lane)] : ['2', ofSecondProvider(lane)])),
  );
});

/** The translated answer, by the second provider. */
function ofSecondProvider({ api, form, model }: DialectLane): unknown {
  const translated = dialectLanes.find((lane) => lane.api === api && lane.form === form && !lane.isNative);
  const documents = JSON.stringify(translated && wholeDocuments(translated));
  return JSON.parse(documents.replaceAll('sandbox-a:', `${secondProvider}:`).replaceAll('"shared"', `"${model}"`));
}

test.each([
  ['a refused connection', (_url: string, closed: string) => closed],
  ['a server without TLS', (url: string) => url.replace('http:', 'https:')],
])('%s is reported in the form of each API', async (_name, urlOf) => {
  const closed = await closedPort();
  const unreachable = await startLanes(vendors, { place: (address) => urlOf(address, closed) });
  try {
    const received = await inEveryLane((lane) => seen(unreachable, lane));
    expect(named(received)).toEqual(named(received, (lane) => expected(lane, { refused: away }, [])));
  } finally {
    await unreachable.close();
  }
});

test('an event or member of an unknown kind is passed on by the same API, and dropped by a translation', async () => {
  strike(bench, 'unknown-event:8');
  const received = await inEveryLane((lane) => seen(bench, lane));
  const known = (documents: Seen['documents']) =>
    documents.filter(({ type }) => type !== 'future_event').map(({ future: _future, ...rest }) => rest);
  const unknown = (documents: Seen['documents']) => documents.filter((document) => 'future' in document).length;
  expect(named(received, (_lane, { documents }) => [known(documents), unknown(documents)])).toEqual(
    named(received, (lane) => [wholeDocuments(lane), lane.isNative ? 1 : 0]),
  );
});

describe.each(dialectLanes.filter(({ form }) => form !== 'plain'))('a stream: $name', (lane) => {
  test('that is cut after any event is an error until it is whole', async () => {
    const found: Outcome[] = [];
    for (const bytes of someCuts(await endsOfEvents(lane))) {
      strike(bench, `cut:${bytes}`);
      const received = await seen(bench, lane);
      const outcome = outcomeOf(received);
      const wanted = expected(lane, expectations[outcome], received.documents);
      expect(outcome === 'whole' ? withoutUsage(received) : received).toEqual(
        outcome === 'whole' ? withoutUsage(wanted) : wanted,
      );
      found.push(outcome);
    }
    expect(found).toEqual(found.toSorted((one, other) => outcomes.indexOf(one) - outcomes.indexOf(other)));
    const counts = outcomes.map((outcome) => found.filter((each) => each === outcome).length);
    expect(counts).toEqual(cutsOf[lane.isNative && lane.api === 'interact' ? lane.api : lane.provider]);
  });

  test('that does not end is ended by an error', async () => {
    strike(bench, 'endless');
    const { status, documents } = await seen(bench, lane);
    expect([status, documents.at(-1)]).toEqual([200, expectedLateError(lane, tooLong, documents.slice(0, -1))]);
  });
});

/** The first and last cuts, at which the outcome changes, and a part of those between. */
function someCuts(ends: readonly number[]): number[] {
  const between = partOf(ends.slice(6, -6), { one: 6 });
  return [...ends.slice(0, 6), ...between, ...ends.slice(-6)];
}

/** The outcomes of a stream that is cut, in the order of its length. */
const outcomes = ['refused', 'broken off', 'whole'] as const;
type Outcome = (typeof outcomes)[number];
const expectations = { refused: { refused: cut }, 'broken off': { brokenOff: cut }, whole: 'whole' } as const;

/** How many cuts of each vendor's stream have each outcome, or of a vendor's other API. A stream without its usage or its last event is whole. */
const cutsOf: Readonly<Record<string, readonly unknown[]>> = {
  'sandbox-a': [1, expect.any(Number), 3],
  anthropic: [3, expect.any(Number), 2],
  google: [0, expect.any(Number), 1],
  interact: [3, expect.any(Number), 2],
  openai: [4, expect.any(Number), 1],
};

function outcomeOf({ status, documents }: Seen): Outcome {
  if (status !== 200) return 'refused';
  const last = documents.at(-1) ?? {};
  return 'error' in last || last.type === 'response.failed' ? 'broken off' : 'whole';
}

/** Usage that is missing is estimated. */
const withoutUsage = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, member) => (name.startsWith('usage') ? undefined : member));

/** The positions in the vendor's stream at which its events end. */
async function endsOfEvents(lane: DialectLane): Promise<number[]> {
  await askInLane(bench, lane);
  const [{ path = '', headers = {}, body = '' } = {}] = bench.simulator.requests.slice(-1);
  const sent = ['content-type', 'authorization', 'x-api-key', 'x-goog-api-key', 'anthropic-version'];
  const query = path.endsWith(':streamGenerateContent') ? '?alt=sse' : '';
  const answer = await fetch(bench.simulator.url + path + query, {
    method: 'POST',
    headers: sent.flatMap((name): [string, string][] => (headers[name] ? [[name, String(headers[name])]] : [])),
    body,
  });
  return [...(await answer.text()).matchAll(/\r?\n\r?\n/g)].map(({ index, 0: end }) => index + end.length);
}

describe('usage that is', () => {
  const summaryOf = ({ source, flags, tokens }: ChatBench['usage'][number]) => ({
    source,
    flags,
    input: tokens.input + tokens.cacheRead + tokens.cacheWrite,
    output: tokens.output + tokens.reasoning,
  });

  test.each([
    [
      'missing is estimated',
      'no-usage',
      { source: 'estimated', flags: ['unpriced'], input: 3, output: expect.closeTo(43, -1) },
    ],
    [
      'impossible is cut to the most that the model can use',
      'wrong-usage',
      { source: 'reported', flags: ['unpriced', 'adjusted'], input: 10_000_000, output: 1_000_000 },
    ],
  ])('%s', async (_name, fault, record) => {
    strike(bench, fault);
    const requestIdOf = ({ name }: DialectLane) => `${fault} ${name}`;
    const received = await inEveryLane((lane) => seen(bench, lane, { requestId: requestIdOf(lane) }));
    expect(withoutUsage(named(received, (_lane, { documents }) => documents))).toEqual(
      withoutUsage(named(received, wholeDocuments)),
    );
    const recordsOf = (lane: DialectLane) => bench.usage.filter(({ requestId }) => requestId === requestIdOf(lane));
    await expect
      .poll(() => named(received, (lane) => recordsOf(lane).map(summaryOf)))
      .toEqual(named(received, () => [record]));
  });
});
