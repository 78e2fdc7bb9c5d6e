import { EventStreamCodec } from '@smithy/core/event-streams';
import { fromUtf8, toUtf8 } from '@smithy/core/serde';
import type { Answer } from './answer.ts';
import type { VendorFormat } from './vendor-format.ts';

const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'guardrail_intervened',
};

const usageOf = ({ promptTokens, completionTokens }: Answer) => ({
  inputTokens: promptTokens,
  outputTokens: completionTokens,
  totalTokens: promptTokens + completionTokens,
});

/** The vendor's own codec writes the frames. */
const codec = new EventStreamCodec(toUtf8, fromUtf8);

const message = (type: string, kind: 'event' | 'exception', payload: object): Buffer =>
  Buffer.from(
    codec.encode({
      headers: {
        [`:${kind}-type`]: { type: 'string', value: type },
        ':content-type': { type: 'string', value: 'application/json' },
        ':message-type': { type: 'string', value: kind },
      },
      body: Buffer.from(JSON.stringify(payload)),
    }),
  );

/** Every payload has meaningless padding. */
export const bedrockEvent = (type: string, payload: object): Buffer =>
  message(type, 'event', { ...payload, p: 'abcdefghijklmno'.slice(0, (type.length * 7) % 15) });

export const bedrockException = (type: string, payload: object): Buffer => message(type, 'exception', payload);

interface Block {
  whole: object;
  start?: object;
  deltas: object[];
}

/** This vendor's answers have no images. */
function blocksOf({ thinking, text, calls }: Answer): Block[] {
  const thought = { reasoningText: { text: thinking.join('') } };
  const spoken: Block[] = [
    {
      whole: { reasoningContent: thought },
      deltas: thinking.map((piece) => ({ reasoningContent: { text: piece } })),
    },
    textBlock(text),
  ];
  const called = calls.flatMap(({ id, name, input, after = [] }): Block[] => {
    const toolUse = { toolUseId: id, name };
    const call = {
      whole: { toolUse: { ...toolUse, input: JSON.parse(input.join('')) } },
      start: { toolUse },
      deltas: input.map((piece) => ({ toolUse: { input: piece } })),
    };
    return [call, textBlock(after)];
  });
  return [...spoken, ...called].filter(({ deltas }) => deltas.length > 0);
}

const textBlock = (pieces: readonly string[]): Block => ({
  whole: { text: pieces.join('') },
  deltas: pieces.map((piece) => ({ text: piece })),
});

const framesOf = ({ start, deltas }: Block, contentBlockIndex: number): Buffer[] => [
  ...(start ? [bedrockEvent('contentBlockStart', { contentBlockIndex, start })] : []),
  ...deltas.map((delta) => bedrockEvent('contentBlockDelta', { contentBlockIndex, delta })),
  bedrockEvent('contentBlockStop', { contentBlockIndex }),
];

export const bedrockFormat: VendorFormat = {
  json: (answer) => ({
    output: { message: { role: 'assistant', content: blocksOf(answer).map(({ whole }) => whole) } },
    stopReason: stopReasons[answer.finish],
    usage: usageOf(answer),
    metrics: { latencyMs: 12 },
  }),
  stream: (answer) => [
    bedrockEvent('messageStart', { role: 'assistant' }),
    ...blocksOf(answer).flatMap(framesOf),
    bedrockEvent('messageStop', { stopReason: stopReasons[answer.finish] }),
    bedrockEvent('metadata', { usage: usageOf(answer), metrics: { latencyMs: 12 } }),
  ],
  error: (code, errorText) => ({ __type: `com.amazon.coral.service#${code}`, message: errorText }),
  errorFrame: (errorText) => bedrockException('internalServerException', { message: errorText }),
};
