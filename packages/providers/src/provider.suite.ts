import { GatewayError } from '@tallyport/contracts';
import { encodeSse, type ChatChunk, WireError } from '@tallyport/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTextLane } from './fast-lane/text-lane.ts';
import { fold } from './fold/fold.ts';
import type { ChatProvider } from './spec/provider.ts';
import { anyAnswer, plainAnswer } from './testing/answer.ts';
import { callOf, contextOf, decoderOf, feed, vendorOffer, translate } from './testing/translate.ts';
import { vendorFormats } from './testing/vendor-formats.ts';
import { runsOf } from '../../../tests/support/scale.ts';

/** Requirements for every chat provider of the registry, in any format. */
export function providerSuite(provider: ChatProvider): void {
  describe(provider.id, () => {
    requestLaws(provider);
    streamLaws(provider);
    truncation(provider);
    faults(provider);
    if (provider.textDeltasAreIndependent) fastLane(provider);
  });
}

function requestLaws(provider: ChatProvider): void {
  test('builds the same request twice without changing its input', () => {
    const call = callOf({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', content: 'Hm', reasoning_content: 'thinking' },
        { role: 'user', content: 'And?' },
      ],
      max_tokens: 10,
      stream_options: { include_usage: false },
    });
    const before = structuredClone(call);
    const offer = Object.freeze(vendorOffer(provider));
    const first = provider.request(deepFreeze(call), offer);
    expect(provider.request(call, offer)).toEqual(first);
    expect(call).toEqual(before);
    expect(first).toMatchObject({ method: 'POST', path: expect.stringMatching(/^\//) });
    expect(JSON.parse(first.body)).toBeTypeOf('object');
  });
}

function streamLaws(provider: ChatProvider): void {
  const format = vendorFormats[provider.dialect];

  test('folds a stream to the same answer as the JSON', () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        const folded = fold(translate(provider, format.stream(answer)));
        expect(folded).toEqual(provider.response(format.json(answer), contextOf(provider, callOf({}, false))));
      }),
      { numRuns: runsOf(200) },
    );
  });

  test('gives the same chunks for any split of the bytes', () => {
    fc.assert(
      fc.property(anyAnswer, fc.array(cutPositions, { minLength: 10, maxLength: 10 }), (answer, splits) => {
        const bytes = Buffer.concat(format.stream(answer));
        // As text, because comparing thousands of chunks member by member takes longer than translating them.
        const chunksOf = (pieces: readonly Uint8Array[]) => JSON.stringify(translate(provider, pieces));
        const outcomes = splits.map((places) => chunksOf(cutAt(places, bytes)));
        expect(new Set(outcomes)).toEqual(new Set([chunksOf([bytes])]));
      }),
      // Ten splits per run: at the whole scale more than ten thousand over all providers.
      { numRuns: runsOf(45) },
    );
  });

  test('sends the role first, the finish reason last but one, and the usage last', () => {
    const chunks = translate(provider, format.stream(plainAnswer));
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    });
    expect(chunks.filter((chunk) => chunk.usage !== undefined)).toHaveLength(1);
    expect(new Set(chunks.map(({ id, created }) => `${id} ${created}`)).size).toBe(1);
  });
}

/** Positions in bytes of any length, each as a fraction of 65,536. */
const cutPositions = fc.array(fc.nat(65_536), { minLength: 1, maxLength: 10 });

function cutAt(places: readonly number[], bytes: Buffer): Buffer[] {
  const ends = places.map((place) => Math.floor((place / 65_536) * bytes.length)).toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

function truncation(provider: ChatProvider): void {
  const format = vendorFormats[provider.dialect];
  const frames = format.stream(plainAnswer);

  test('detects a stream cut anywhere before its end', () => {
    const outcomes = frames.map((_frame, count) => {
      const translator = provider.stream(contextOf(provider));
      feed(translator, frames.slice(0, count), provider.framing);
      return { finished: translator.finished(), ends: ends(() => translator.end()) };
    });
    const firstWhole = outcomes.findIndex(({ finished }) => finished);
    expect(firstWhole).toBeGreaterThan(plainAnswer.text.length);
    for (const [count, { finished, ends: end }] of outcomes.entries()) {
      expect({ count, finished, end }).toEqual({
        count,
        finished: count >= firstWhole,
        end: count >= firstWhole ? 'clean' : 'stream_truncated provider',
      });
    }
  });

  test.skipIf(format.lastWord === false)('recognizes the final frame and reads nothing after it', () => {
    const translator = provider.stream(contextOf(provider));
    feed(translator, frames, provider.framing);
    expect(translator.done()).toBe(true);
    expect(feed(translator, frames, provider.framing)).toEqual([]);
    expect(translator.end()).toEqual([]);
  });
}

/** The vendor’s status and code, our code, the client’s status, and the fault domain. */
const statuses: readonly (readonly [number, string, string, number, string])[] = [
  [400, 'invalid_value', 'invalid_parameters', 400, 'caller'],
  [400, 'context_length_exceeded', 'context_length_exceeded', 400, 'caller'],
  [400, 'content_policy_violation', 'content_policy_violation', 400, 'policy'],
  [401, 'invalid_api_key', 'upstream_auth', 502, 'provider'],
  [402, 'no_balance', 'upstream_auth', 502, 'provider'],
  [403, 'model_access', 'upstream_auth', 502, 'provider'],
  [404, 'model_not_found', 'upstream_error', 502, 'provider'],
  [408, 'timeout', 'upstream_timeout', 504, 'provider'],
  [413, 'too_large', 'request_too_large', 413, 'caller'],
  [422, 'invalid_value', 'invalid_parameters', 422, 'caller'],
  [429, 'rate_limit_exceeded', 'upstream_error', 502, 'provider'],
  [429, 'insufficient_quota', 'upstream_auth', 502, 'provider'],
  [500, 'server_error', 'upstream_error', 502, 'provider'],
  [503, 'overloaded', 'upstream_error', 502, 'provider'],
  [504, 'gateway_timeout', 'upstream_timeout', 504, 'provider'],
  [529, 'overloaded', 'upstream_error', 502, 'provider'],
];

function faults(provider: ChatProvider): void {
  const format = vendorFormats[provider.dialect];

  const errorCases = statuses.filter(([, vendorCode]) => format.error(vendorCode, '') !== undefined);

  test.each(errorCases)('%i %s is %s', (status, vendorCode, code, ours, domain) => {
    const error = provider.error(status, { 'retry-after': '2' }, format.error(vendorCode, 'It did not work.'));
    expect(error).toMatchObject({
      code,
      status: ours,
      domain,
      // Waiting brings neither a key nor money.
      retryAfterMs: domain === 'provider' && code !== 'upstream_auth' ? 2_000 : undefined,
    });
    expect(error.message).toContain(code === 'upstream_auth' ? 'refused our credentials' : 'It did not work.');
  });

  test('masks keys in messages', () => {
    const key = 'sk-proj-abcDEF1234567890abcDEF1234567890';
    for (const status of [400, 401, 500]) {
      const error = provider.error(status, {}, format.error('invalid', `Incorrect API key provided: ${key}.`));
      expect(`${error.message} ${error.detail}`).not.toContain('abcDEF');
    }
  });

  test('masks the ids of the operator in messages', () => {
    for (const status of [400, 429, 500]) {
      const message = 'Rate limit reached in organization org-AbCdEf123456 of projects/our-project.';
      const error = provider.error(status, {}, format.error('rate_limit_exceeded', message));
      expect(`${error.message} ${error.detail}`).not.toMatch(/AbCdEf|our-project/);
    }
  });

  test.each([undefined, null, '', '<html>Bad gateway</html>', 'no', [], {}, { error: null }, 7])(
    'a body of %j is a fault of the provider',
    (body) => {
      expect(provider.error(502, {}, body)).toMatchObject({ code: 'upstream_error', domain: 'provider' });
      expect(thrownBy(() => provider.response(body, contextOf(provider)))).toMatchObject({ domain: 'provider' });
    },
  );

  test('throws an error in the middle of a stream', () => {
    const [first] = format.stream(plainAnswer);
    const bytes = [first ?? Buffer.alloc(0), format.errorFrame('The server fell over.')];
    expect(thrownBy(() => translate(provider, bytes))).toMatchObject({
      code: 'upstream_error',
      domain: 'provider',
      message: expect.stringContaining('The server fell over.'),
    });
  });

  test('gives chunks or a GatewayError for changed bytes', () => {
    const bytes = Buffer.concat(
      format.stream({ ...plainAnswer, calls: [{ id: 'a', name: 'f', input: ['{"x":', '1}'] }] }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        (changes) => {
          const changed = Buffer.from(bytes);
          for (const [at, byte] of changes) changed[at] = byte;
          // Any other error is rethrown and fails the property.
          thrownBy(() => ignoringWireErrors(() => translate(provider, [changed])));
        },
      ),
      { numRuns: runsOf(500) },
    );
  });
}

/** The fast lane must give the same bytes as the full translation, frame by frame. */
function fastLane(provider: ChatProvider): void {
  const format = vendorFormats[provider.dialect];
  const encode = (chunks: readonly ChatChunk[]): Buffer =>
    Buffer.concat(chunks.map((chunk) => encodeSse(JSON.stringify(chunk))));

  test('gives the same bytes in the fast lane', () => {
    let forwarded = 0;
    const numRuns = runsOf(300);
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        const frames = decoderOf(provider.framing).push(Buffer.concat(format.stream(answer)));
        const slow = provider.stream(contextOf(provider));
        const lane = createTextLane();
        for (const frame of frames) {
          const fast = lane.forward(frame);
          const chunks = slow.frame(frame);
          const output = encode(chunks);
          expect((fast ?? output).toString()).toBe(output.toString());
          if (fast === undefined) lane.learn({ frame, chunks, output });
          else forwarded += 1;
        }
      }),
      { numRuns },
    );
    expect(forwarded).toBeGreaterThan(numRuns / 3);
  });
}

function ends(end: () => unknown): string {
  const error = thrownBy(end);
  return error === undefined ? 'clean' : `${error.code} ${error.domain}`;
}

/** Framing with checksums detects the change before a translator does. */
function ignoringWireErrors(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
}

function thrownBy(run: () => unknown): GatewayError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
