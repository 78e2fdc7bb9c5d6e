import { type Endpoint, endpointOf, type ErrorForm } from '@tallyport/contracts';
import { type ChatOutcome, needsOf, planChat } from '@tallyport/dispatch';
import { checkedRequest, type EndpointDescription } from '@tallyport/endpoints';
import { estimateChat, estimatePrompt } from '@tallyport/pricing';
import { type ApiForm, openAiAnswerForm, type PaidEndpoint } from '@tallyport/serving';
import { chatSettlement } from '@tallyport/serving/metering';
import { type ChatCompletion, type ChatRequest, documentOf } from '@tallyport/wire';
import { z } from 'zod';
import { type CallEndpoint, callEndpoint, type CallTools } from '../../services/chat-svc/src/calls/call-endpoint.ts';
import { parseBodyOf } from '../../services/chat-svc/src/parse-request.ts';
import type { BenchTools } from '../../packages/serving/src/testing/serving-bench.ts';

const errors: ErrorForm = {
  error: ({ status, message }) => ({ status, body: { broken: message } }),
  lastEvent: ({ message }) => `data: ${message}\n\n`,
};

export const toyRow: Endpoint = { ...endpointOf('chat'), path: '/v1/toy', exchange: 'answer', errors };

const toyRequest = z.strictObject({ model: z.string().min(1), play: z.string().min(1).max(20) });
const game = { summary: 'A game', value: { model: 'sandbox-chat', play: 'chess' } };

export const toyDescription: EndpointDescription = {
  id: 'play',
  tag: 'Toys',
  summary: 'Plays a game.',
  body: { 'application/json': { schema: toyRequest, examples: { plain: game } } },
  answers: {
    200: { description: 'The game.', content: { 'application/json': { schema: z.object({ played: z.string() }) } } },
  },
};

/** It is made of a chat completion. */
const form: ApiForm = {
  ...openAiAnswerForm,
  whole: (chat) => documentOf({ played: (chat.value() as ChatCompletion).choices[0]?.message.content }).slices(),
  refusal: (error) => errors.error(error, ''),
};

/** Added by following docs/architecture.md#adding-things. */
export const toyEndpoint = (tools: BenchTools & CallTools): PaidEndpoint => callEndpoint(tools, toy(tools));

const toy = ({ dispatch, events }: BenchTools): CallEndpoint<ChatRequest> => ({
  operation: 'chat',
  api: { name: 'toy', form },
  events,
  expectedBytes: () => 1_000,
  close: async () => {},
  parse(body, { head }) {
    const { model, play } = checkedRequest(toyRequest, parseBodyOf(body, head));
    return { model, call: { model, messages: [{ role: 'user', content: play }] } };
  },
  plan: ({ call, ...asked }, _, ground) => planChat({ ...asked, needs: needsOf(call), streaming: false }, ground),
  facts: (request) => ({ tokens: () => estimatePrompt(request), modalities: () => ['text'] }),
  estimate: estimateChat,
  prompt: ({ messages }) => messages.map((message) => ({ kind: 'text', text: String(message.content) })),
  async attempt({ plan, call: request, head }, { signal, settle }) {
    const ended = events.begin({ head, plan, stream: false });
    const onOutcome = (outcome: ChatOutcome): void => {
      settle(chatSettlement(outcome));
      ended(outcome);
    };
    const job = { call: { request, stream: false }, plan, signal, completionId: 'id', created: 1, onOutcome };
    const { completion, offer, routing } = await dispatch.complete(job);
    const content = { kind: 'whole', document: documentOf(completion), complete: true } as const;
    return { offer, attempts: routing.length, content };
  },
});
