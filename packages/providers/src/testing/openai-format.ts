import { type Answer, textsOf } from './answer.ts';
import type { VendorFormat } from './vendor-format.ts';

const head = { id: 'chatcmpl-vendor', created: 1_760_000_000, model: 'vendor-model-2026', system_fingerprint: 'fp_1' };

const usageOf = ({ promptTokens, completionTokens }: Answer) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
});

const image = (url: string) => ({ type: 'image_url', image_url: { url } });

function messageOf(answer: Answer): Record<string, unknown> {
  const { thinking, calls, images } = answer;
  const text = textsOf(answer);
  return {
    role: 'assistant',
    content: text.length === 0 ? null : text.join(''),
    refusal: null,
    ...(thinking.length > 0 && { reasoning_content: thinking.join('') }),
    ...(images.length > 0 && { images: images.map(image) }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: input.join('') },
      })),
    }),
  };
}

function deltasOf(answer: Answer): unknown[] {
  const { thinking, calls, images } = answer;
  const opening = (index: number, id: string, name: string) => ({
    tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
  });
  const input = (index: number, piece: string) => ({ tool_calls: [{ index, function: { arguments: piece } }] });
  return [
    { role: 'assistant', content: calls.length > 0 ? null : '', refusal: null },
    ...thinking.map((piece) => ({ reasoning_content: piece })),
    ...textsOf(answer).map((piece) => ({ content: piece })),
    ...images.map((url) => ({ images: [image(url)] })),
    ...calls.flatMap((call, index) => [
      opening(index, call.id, call.name),
      ...call.input.map((piece) => input(index, piece)),
    ]),
  ];
}

const event = (value: unknown): Buffer => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);

const chunk = (choices: unknown[], usage: unknown = null) => ({
  ...head,
  object: 'chat.completion.chunk',
  choices,
  usage,
});

const choice = (delta: unknown, finishReason: string | null = null) => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason: finishReason,
});

export const openaiFormat: VendorFormat = {
  json: (answer) => ({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: messageOf(answer), logprobs: null, finish_reason: answer.finish }],
    usage: usageOf(answer),
  }),
  stream: (answer) => [
    ...deltasOf(answer).map((delta) => event(chunk([choice(delta)]))),
    event(chunk([choice({}, answer.finish)])),
    event(chunk([], usageOf(answer))),
    Buffer.from('data: [DONE]\n\n'),
  ],
  error: (code, message) => ({ error: { message, type: 'some_error', param: null, code } }),
  errorFrame: (message) => event({ error: { message, type: 'server_error', param: null, code: null } }),
};
