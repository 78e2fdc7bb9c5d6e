import type { FinishReason } from '@tallyport/wire';
import type { Answer } from './answer.ts';
import type { VendorFormat } from './vendor-format.ts';

const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
  function_call: 'STOP',
};

/** A third of the answer's tokens are thinking, which the vendor counts separately. */
function usageOf({ promptTokens, completionTokens }: Answer) {
  const thoughtsTokenCount = Math.floor(completionTokens / 3);
  return {
    promptTokenCount: promptTokens,
    candidatesTokenCount: completionTokens - thoughtsTokenCount,
    thoughtsTokenCount,
    totalTokenCount: promptTokens + completionTokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: promptTokens }],
  };
}

const imagePart = (url: string) => ({ inlineData: { mimeType: 'image/png', data: url.slice(url.indexOf(',') + 1) } });

const callPart = ({ name, input }: Answer['calls'][number], index: number) => ({
  functionCall: { name, args: JSON.parse(input.join('')) },
  ...(index === 0 && { thoughtSignature: 'c2lnbmVk' }),
});

const textParts = (pieces: readonly string[]) => pieces.filter((piece) => piece !== '').map((text) => ({ text }));

const partsOf = ({ thinking, text, calls, images }: Answer): unknown[] => [
  ...(thinking.length > 0 ? [{ text: thinking.join(''), thought: true }] : []),
  ...(text.length > 0 ? [{ text: text.join('') }] : []),
  ...images.map(imagePart),
  ...calls.flatMap((call, index) => [callPart(call, index), ...textParts([(call.after ?? []).join('')])]),
  { text: '', thoughtSignature: 'c2lnbmF0dXJl' },
];

const streamedPartsOf = ({ thinking, text, calls, images }: Answer): unknown[] => [
  ...thinking.map((piece) => ({ text: piece, thought: true })),
  ...text.map((piece) => ({ text: piece })),
  ...images.map(imagePart),
  ...calls.flatMap((call, index) => [callPart(call, index), ...textParts(call.after ?? [])]),
];

const body = (candidate: object | undefined, usage: object) => ({
  ...(candidate && { candidates: [{ ...candidate, index: 0 }] }),
  usageMetadata: usage,
  modelVersion: 'gemini-vendor-001',
  responseId: 'vendorResponse',
});

const event = (value: unknown): Buffer => Buffer.from(`data: ${JSON.stringify(value)}\r\n\r\n`);

const content = (...parts: unknown[]) => ({ content: { role: 'model', parts } });

const errorOf = (code: number, status: string, rest: { message: string; details?: unknown[] }) => ({
  error: { code, ...rest, status },
});

const reason = (name: string) => [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: name }];

const names = new Map([
  ['invalid_value', 'INVALID_ARGUMENT'],
  ['model_access', 'PERMISSION_DENIED'],
  ['model_not_found', 'NOT_FOUND'],
  ['rate_limit_exceeded', 'RESOURCE_EXHAUSTED'],
  ['server_error', 'INTERNAL'],
  ['overloaded', 'UNAVAILABLE'],
  ['gateway_timeout', 'DEADLINE_EXCEEDED'],
  ['insufficient_quota', 'FAILED_PRECONDITION'],
  ['no_balance', 'FAILED_PRECONDITION'],
]);

export const googleFormat: VendorFormat = {
  lastWord: false,
  json: (answer) =>
    body({ ...content(...partsOf(answer)), finishReason: finishReasons[answer.finish] }, usageOf(answer)),
  stream: (answer) => {
    const early = { promptTokenCount: answer.promptTokens, totalTokenCount: answer.promptTokens };
    return [
      ...streamedPartsOf(answer).map((part) => event(body(content(part), early))),
      event(
        body(
          {
            ...content({ text: '', thoughtSignature: 'c2lnbmF0dXJl' }),
            finishReason: finishReasons[answer.finish],
          },
          early,
        ),
      ),
      event(body(undefined, usageOf(answer))),
    ];
  },
  error(code, message) {
    if (code === 'content_policy_violation') return undefined;
    if (code === 'invalid_api_key')
      return errorOf(400, 'INVALID_ARGUMENT', { message, details: reason('API_KEY_INVALID') });
    const before =
      code === 'context_length_exceeded' ? 'The input token count exceeds the maximum number of tokens. ' : '';
    return errorOf(400, names.get(code) ?? 'INVALID_ARGUMENT', { message: before + message });
  },
  errorFrame: (message) => event(errorOf(500, 'INTERNAL', { message })),
};
