import { GatewayError } from '@tallyport/contracts';
import type { ChatChunk } from '@tallyport/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../fold/fold.ts';
import { bedrockEvent, bedrockException } from '../testing/bedrock-format.ts';
import { contextOf, feed, translate } from '../testing/translate.ts';
import { awsBedrock } from './chat.ts';
import { runsOf } from '../../../../tests/support/scale.ts';

const at = (contentBlockIndex: number, delta: object) =>
  bedrockEvent('contentBlockDelta', { contentBlockIndex, delta });
const begins = bedrockEvent('messageStart', { role: 'assistant' });
const ends = bedrockEvent('messageStop', { stopReason: 'end_turn' });
const metadata = bedrockEvent('metadata', { usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } });

const streamed = (frames: readonly Buffer[]): ChatChunk[] => translate(awsBedrock, frames);

describe('streams', () => {
  test('return the usage last even if the vendor sends it earlier', () => {
    const translator = awsBedrock.stream(contextOf(awsBedrock));
    const chunks = feed(translator, [begins, at(0, { text: 'x' }), metadata, ends], awsBedrock.framing);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)?.usage).toEqual({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 });
    expect(translator.done()).toBe(true);
  });

  test('may lack messageStart and contain unknown events', () => {
    const chunks = streamed([bedrockEvent('ping', {}), at(0, { text: 'x' }), at(9, { news: {} }), ends]);
    expect(fold(chunks).choices[0]?.message).toEqual({ role: 'assistant', content: 'x', refusal: null });
  });

  test.each([
    ['throttlingException', { message: 'Slow down.' }, 'upstream_error', 'provider'],
    ['internalServerException', { message: 'Slow down.' }, 'upstream_error', 'provider'],
    ['serviceUnavailableException', { message: 'Slow down.' }, 'upstream_error', 'provider'],
    ['modelTimeoutException', { message: 'Slow down.' }, 'upstream_timeout', 'provider'],
    ['validationException', { message: 'Slow down.' }, 'invalid_parameters', 'caller'],
    [
      'modelStreamErrorException',
      { originalStatusCode: 400, originalMessage: 'Slow down.' },
      'upstream_error',
      'provider',
    ],
    ['somethingNewException', { Message: 'Slow down.' }, 'upstream_error', 'provider'],
  ])('throw on %s in the middle', (type, payload, code, domain) => {
    expect(() => streamed([begins, at(0, { text: 'x' }), bedrockException(type, payload)])).toThrow(
      expect.objectContaining({ code, domain, message: expect.stringContaining('Slow down.') }),
    );
  });

  test('fail after too many frames that are not JSON', () => {
    const translator = awsBedrock.stream(contextOf(awsBedrock));
    const bad = { event: 'contentBlockDelta', id: undefined, data: Buffer.from('{') };
    for (let count = 1; count <= 10; count += 1) expect(translator.frame(bad)).toEqual([]);
    expect(translator.skipped()).toBe(10);
    expect(() => translator.frame(bad)).toThrow(GatewayError);
  });

  test('give chunks or a GatewayError for any payloads', () => {
    const names = [
      'messageStart',
      'contentBlockStart',
      'contentBlockDelta',
      'contentBlockStop',
      'messageStop',
      'metadata',
    ];
    const member = fc.constantFrom(
      'contentBlockIndex',
      'delta',
      'start',
      'toolUse',
      'text',
      'input',
      'reasoningContent',
      'usage',
      'stopReason',
      'name',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.dictionary(member, tie('value'), { maxKeys: 4 }),
      ),
    }));
    const event = fc.record({ event: fc.constantFrom(...names), value });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const translator = awsBedrock.stream(contextOf(awsBedrock));
        for (const { event: name, value: payload } of events)
          allowGatewayError(() =>
            translator.frame({ event: name, id: undefined, data: Buffer.from(JSON.stringify(payload) ?? '') }),
          );
      }),
      { numRuns: runsOf(1_000) },
    );
  });
});

/** Anything but a GatewayError is rethrown and fails the property. */
function allowGatewayError(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}
