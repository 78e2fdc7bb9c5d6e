import Anthropic from '@anthropic-ai/sdk';
import { messagesErrors } from '@tallyport/contracts';
import type { AskOptions, ChatBench, ClientAnswer } from './chat-bench.ts';

export const messagesVersion = { 'anthropic-version': '2023-06-01' };

/** A client of the Messages API, for which edge writes the errors. */
export async function speakMessages(
  bench: ChatBench,
  body: unknown,
  { headers, ...ask }: AskOptions = {},
): Promise<ClientAnswer> {
  const principal = { accountId: 'account', keyId: 'key' };
  const answer = await bench.inApi('messages', body, {
    principal,
    headers: { ...messagesVersion, ...headers },
    ...ask,
  });
  if (answer.error === undefined) return answer;
  const refused = messagesErrors.error(answer.error, 'req_test');
  return { ...answer, status: refused.status, text: JSON.stringify(refused.body) };
}

/** Anthropic's SDK; `bench` is called with its first request. */
export const messagesSdk = (bench: () => ChatBench): Anthropic =>
  new Anthropic({
    apiKey: 'key',
    baseURL: 'http://gateway',
    maxRetries: 0,
    async fetch(_url, init) {
      const { headers = {}, body } = init ?? {};
      const sent = Object.fromEntries(new Headers(headers as Record<string, string>));
      const answer = await speakMessages(bench(), Buffer.from(String(body)), { headers: sent });
      return new Response(answer.text, { status: answer.status, headers: answer.headers });
    },
  });

interface MessageEvent {
  type: string;
  message?: { usage: Record<string, number> };
  usage?: Record<string, number>;
}

export const messageEvents = (text: string): MessageEvent[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));

/** The usage of a stream: its end restates part of what its start says. */
export function streamedUsage(text: string): Record<string, number> {
  const events = messageEvents(text);
  return { ...events[0]?.message?.usage, ...events.find(({ type }) => type === 'message_delta')?.usage };
}
