import type { FinishReason } from '@tallyport/wire';
import type { Answer } from './answer.ts';
import type { VendorFormat } from './vendor-format.ts';

const head = { id: 'msg_vendor', type: 'message', role: 'assistant', model: 'claude-vendor-20260101' };

const stopReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  function_call: 'tool_use',
};

const inputUsage = ({ promptTokens }: Answer) => {
  const cached = Math.floor(promptTokens / 3);
  return { input_tokens: promptTokens - cached, cache_creation_input_tokens: 0, cache_read_input_tokens: cached };
};

const signature = 'EuYBCkQYAiJA==';

function blocksOf({ thinking, text, calls }: Answer): unknown[] {
  return [
    ...(thinking.length > 0 ? [{ type: 'thinking', thinking: thinking.join(''), signature }] : []),
    ...(text.length > 0 ? [{ type: 'text', text: text.join('') }] : []),
    ...calls.flatMap(({ id, name, input, after = [] }) => [
      { type: 'tool_use', id, name, input: JSON.parse(input.join('')) },
      ...(after.length > 0 ? [{ type: 'text', text: after.join('') }] : []),
    ]),
  ];
}

interface StreamedBlock {
  start: unknown;
  deltas: unknown[];
}

function streamedBlocksOf({ thinking, text, calls }: Answer): StreamedBlock[] {
  const blocks: StreamedBlock[] = calls.flatMap(({ id, name, input, after = [] }) => [
    {
      start: { type: 'tool_use', id, name, input: {} },
      deltas: ['', ...input].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    },
    ...textBlocks(after),
  ]);
  blocks.unshift(...textBlocks(text));
  if (thinking.length > 0) {
    const pieces = thinking.map((piece) => ({ type: 'thinking_delta', thinking: piece }));
    blocks.unshift({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [...pieces, { type: 'signature_delta', signature }],
    });
  }
  return blocks;
}

const textBlocks = (pieces: readonly string[]): StreamedBlock[] =>
  pieces.length === 0
    ? []
    : [{ start: { type: 'text', text: '' }, deltas: pieces.map((piece) => ({ type: 'text_delta', text: piece })) }];

const event = (type: string, members: object = {}): Buffer =>
  Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`);

const blockEvents = ({ start, deltas }: StreamedBlock, index: number): Buffer[] => [
  event('content_block_start', { index, content_block: start }),
  event('ping'),
  ...deltas.map((delta) => event('content_block_delta', { index, delta })),
  event('content_block_stop', { index }),
];

/** The vendor's codes for the faults that OpenAI's codes describe. */
const errors = new Map([
  ['invalid_api_key', ['authentication_error', '']],
  ['no_balance', ['billing_error', '']],
  ['insufficient_quota', ['billing_error', '']],
  ['model_access', ['permission_error', '']],
  ['model_not_found', ['not_found_error', '']],
  ['timeout', ['timeout_error', '']],
  ['gateway_timeout', ['timeout_error', '']],
  ['too_large', ['request_too_large', '']],
  ['rate_limit_exceeded', ['rate_limit_error', '']],
  ['overloaded', ['overloaded_error', '']],
  ['server_error', ['api_error', '']],
  ['context_length_exceeded', ['invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum. ']],
  ['content_policy_violation', ['invalid_request_error', 'Output blocked by content filtering policy. ']],
]);

const errorOf = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_vendor',
});

export const anthropicFormat: VendorFormat = {
  json: (answer) => ({
    ...head,
    content: blocksOf(answer),
    stop_reason: stopReasons[answer.finish],
    stop_sequence: null,
    usage: { ...inputUsage(answer), output_tokens: answer.completionTokens, service_tier: 'standard' },
  }),
  stream: (answer) => [
    event('message_start', {
      message: {
        ...head,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...inputUsage(answer), output_tokens: 1 },
      },
    }),
    ...streamedBlocksOf(answer).flatMap(blockEvents),
    event('message_delta', {
      delta: { stop_reason: stopReasons[answer.finish], stop_sequence: null },
      usage: { output_tokens: answer.completionTokens },
    }),
    event('message_stop'),
  ],
  error(code, message) {
    const [type = 'invalid_request_error', before = ''] = errors.get(code) ?? [];
    return errorOf(type, before + message);
  },
  errorFrame: (message) => event('error', { error: { type: 'api_error', message } }),
};
