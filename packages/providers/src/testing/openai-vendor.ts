import type { GatewayError, Offer } from '@tallyport/contracts';
import type { ChatChunk, ChatCompletion, ChatRequest, CompletionChoice } from '@tallyport/wire';
import { fold } from '../fold/fold.ts';
import type { ChatProvider } from '../spec/provider.ts';
import { callOf, contextOf, vendorOffer, translate } from './translate.ts';

interface Circumstances extends Partial<Offer> {
  stream?: boolean;
}

/** A vendor of OpenAI's format as its tests use it: values in, values out. */
export function vendorOf(provider: ChatProvider) {
  const chunks = (...events: unknown[]): ChatChunk[] =>
    translate(provider, [Buffer.from(events.map(eventText).join(''))]);
  const answer = (body: object): ChatCompletion => provider.response(body, contextOf(provider, callOf({}, false)));
  return {
    /** The request body, without `model` and the usual message if they have their defaults. */
    sent(request: Partial<ChatRequest>, { stream = false, ...offer }: Circumstances = {}): Record<string, unknown> {
      const made = provider.request(callOf(request, stream), vendorOffer(provider, offer));
      const { model: _model, messages, ...rest }: Record<string, unknown> = JSON.parse(made.body);
      return request.messages === undefined ? rest : { messages, ...rest };
    },
    unsupported: (
      request: Partial<ChatRequest>,
      { stream = false, ...offer }: Circumstances = {},
    ): string | undefined => provider.unsupported?.(callOf(request, stream), vendorOffer(provider, offer)),
    answer,
    choice: (message: object, rest: object = {}): CompletionChoice | undefined =>
      answer({ choices: [{ index: 0, message, finish_reason: 'stop', ...rest }] }).choices[0],
    usage: (usage: object) => answer({ choices: [{ message: { content: 'x' } }], usage }).usage,
    chunks,
    folded: (...events: unknown[]): ChatCompletion => fold(chunks(...events)),
    failure(status: number, body: unknown, headers: Record<string, string> = {}) {
      return summaryOf(provider.error(status, headers, body));
    },
  };
}

/** A chunk with one choice. */
export const delta = (said: object, finish: string | null = null, rest: object = {}) => ({
  choices: [{ index: 0, delta: said, finish_reason: finish }],
  ...rest,
});

const summaryOf = ({ code, status, domain, message, retryAfterMs }: GatewayError) => ({
  code,
  status,
  domain,
  message,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

/** A text is sent unchanged, anything else as the data of an event. */
const eventText = (event: unknown): string =>
  typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`;
