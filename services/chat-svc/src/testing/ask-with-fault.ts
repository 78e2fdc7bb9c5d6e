import type { Catalogue } from '@tallyport/contracts';
import { type Log, silentLog } from '@tallyport/service-kit';
import { type ClientAnswer, type ChatBench, eventsIn, sharedModelEntry, startChatBench } from './chat-bench.ts';
import { closedPort } from './closed-port.ts';

/** The records of a chat, apart from its answer. */
export interface ChatRecords {
  /** The provider and error type of every upstream call, in order. */
  calls: string[];
  /** Of the first offer, from 0 to 1; `null` if nothing was recorded about it. */
  uptime: number | null;
  /** Absent if nothing has to be paid. */
  billed: Bill | undefined;
}

interface Bill {
  provider: string;
  input: number;
  output: number;
  /** The figures are our estimate. */
  estimated: boolean;
}

/** A chat whose first provider had a fault. */
export interface FaultReport extends ChatRecords {
  answer: ClientAnswer;
  providers: readonly string[];
  /** The number of calls that the simulator received. */
  seen: number;
}

interface FaultCase {
  /** A fault of the simulator, or one that no server can simulate: `refused`, `tls`. */
  fault: string;
  stream: boolean;
  /** With `X-No-Fallback`. */
  alone: boolean;
  /** With short timeouts. Not the default, because a busy machine could look like a slow provider. */
  hasty: boolean;
}

/** A provider that does not answer. */
export const unreachable = 'unreachable';
const question = 'Hello there';
const short = {
  UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '200',
  UPSTREAM_IDLE_TIMEOUT_MS: '200',
  UPSTREAM_PLAIN_TIMEOUT_MS: '300',
};

/** Sends the chat to a new service, so that everything it counts is about this chat. */
export async function askWithFault({ fault, stream, alone, hasty }: FaultCase): Promise<FaultReport> {
  const away = fault === 'refused' || fault === 'tls';
  const closedUrl = await closedPort();
  const { log, ended } = endOfChat();
  const bench = await startChatBench({
    environment: {
      UPSTREAM_MAX_RESPONSE_BYTES: '262144',
      ROUTING_HEALTH_WINDOW_MS: '300000',
      ...(hasty ? short : {}),
    },
    log,
    ...(away && {
      catalogue: (url: string) => catalogueLedBy(fault === 'tls' ? url.replace('http:', 'https:') : closedUrl),
    }),
  });
  try {
    const providers = away ? [unreachable, ...bench.providers] : bench.providers;
    if (!away) bench.simulator.faults.set({ provider: providers[0] ?? '', fault });
    const messages = [{ role: 'user', content: question }];
    const body = {
      model: 'sandbox-chat',
      messages,
      stream,
      ...(stream && { stream_options: { include_usage: true } }),
    };
    const answer = await bench.ask(body, { headers: alone ? { 'x-no-fallback': 'true' } : {} });
    const seen = bench.simulator.requests.length;
    return { answer, providers, seen, ...(await recordsOf(bench, await ended)) };
  } finally {
    await bench.close();
  }
}

/** The usage that the provider reported, as the client received it. */
export const reportedBy = (provider: string, answer: ClientAnswer): Bill | undefined => {
  const usage = chunksOf(answer).findLast((chunk) => chunk.usage)?.usage;
  if (!usage) return undefined;
  return { provider, input: usage.prompt_tokens, output: usage.completion_tokens, estimated: false };
};

/**
 * The estimate: four bytes per token, of the question and the answer; the text of a stream counts in its escaped form.
 */
export const estimatedFor = (provider: string, answer: ClientAnswer): Bill => {
  const choices = chunksOf(answer).flatMap((chunk) => chunk.choices ?? []);
  const whole = choices.map(({ message }) => message?.content ?? '').join('');
  const streamed = choices.map(({ delta }) => JSON.stringify(delta?.content ?? '').slice(1, -1)).join('');
  return { provider, input: tokensOf(question), output: tokensOf(whole + streamed), estimated: true };
};

const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

interface AnswerChunk {
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  choices?: { delta?: { content?: string }; message?: { content?: string } }[];
}

const chunksOf = ({ text }: ClientAnswer): AnswerChunk[] =>
  eventsIn(text).flatMap((event) => (event.startsWith('{') ? [JSON.parse(event)] : []));

/** Resolves with the log line of a chat's end, after which everything about it has been counted. */
function endOfChat(): { log: Log; ended: Promise<{ usageEstimated?: boolean }> } {
  const { promise, resolve } = Promise.withResolvers<{ usageEstimated?: boolean }>();
  const info = (fields: { durationMs?: number; usageEstimated?: boolean }) => {
    if (fields.durationMs !== undefined) resolve(fields);
  };
  return { log: Object.assign(silentLog(), { info }), ended: promise };
}

async function recordsOf(bench: ChatBench, { usageEstimated }: { usageEstimated?: boolean }): Promise<ChatRecords> {
  const series = seriesIn(await bench.metrics());
  const attempts = series.filter(({ name }) => name === 'gateway_provider_attempts_total');
  const byOrder = attempts.toSorted((one, other) => Number(one.labels.attempt) - Number(other.labels.attempt));
  const tokens = series.filter(({ name }) => name === 'gateway_tokens_total');
  const sumOf = (classes: RegExp) =>
    tokens.reduce((sum, { labels, value }) => sum + (classes.test(labels.token_class ?? '') ? value : 0), 0);
  const { data } = JSON.parse((await bench.listProviders()).text);
  const [payee] = tokens;
  return {
    calls: byOrder.map(({ labels }) => `${labels.provider} ${labels.error_type}`),
    uptime: data[0].uptime.ratio,
    billed: payee && {
      provider: payee.labels.provider ?? '',
      input: sumOf(/^(input|cache)_/),
      output: sumOf(/^output_/),
      estimated: usageEstimated === true,
    },
  };
}

const seriesIn = (exposition: string) =>
  [...exposition.matchAll(/^(\w+)\{(.*)\} (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, of]) => [label, of])),
    value: Number(value),
  }));

/** A catalogue with another provider before the simulated ones. */
function catalogueLedBy(baseUrl: string): Catalogue {
  const model = sharedModelEntry();
  const offers = model.offers.slice(0, 1).map((offer) => ({ ...offer, providerId: unreachable }));
  return {
    version: '1',
    models: [{ ...model, offers: [...offers, ...model.offers] }],
    providers: [{ id: unreachable, baseUrl, keyVariable: 'UNREACHABLE', needsKey: false }],
  };
}
