import { GatewayError, type Offer, oncePer } from '@tallyport/contracts';
import type { ChatRequest } from '@tallyport/wire';
import { requestedThinking } from '../conversation/requested-thinking.ts';
import type { ChatProvider } from '../spec/provider.ts';

/**
 * Members that change an answer. The others name what is answered, who asks, how an answer is sent and billed, or what must
 * never be left out.
 */
export const shapingMembers: ReadonlySet<string> = new Set([
  'frequency_penalty',
  'logit_bias',
  'min_p',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'reasoning',
  'reasoning_effort',
  'repetition_penalty',
  'seed',
  'temperature',
  'top_k',
  'top_p',
  'verbosity',
]);

/**
 * Those that do not reach the vendor as they are, each with what happens to it. They are found by what is sent without
 * them, so that no rule of a vendor can be forgotten here.
 */
export function weakenedMembers(provider: ChatProvider, request: ChatRequest, offer: Offer): readonly string[] {
  const names = Object.keys(request).filter((name) => shapingMembers.has(name) && request[name] != null);
  if (names.length === 0) return [];
  const known = knownAt(provider)(offer);
  const key = JSON.stringify([
    names.map((name) => [name, request[name]]),
    hasTools(request),
    request.response_format?.type,
  ]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = compared(provider, request, { names, offer });
  if (known.size >= mostKnown) known.clear();
  known.set(key, found);
  return found;
}

/** Of one offer. */
const mostKnown = 200;

const knownAt = oncePer((_provider: ChatProvider) => oncePer((_offer: Offer) => new Map<string, readonly string[]>()));

const hasTools = ({ tools }: ChatRequest): boolean => (tools?.length ?? 0) > 0;

function compared(
  provider: ChatProvider,
  request: ChatRequest,
  { names, offer }: { names: readonly string[]; offer: Offer },
): readonly string[] {
  const short = shortened(request);
  const sent = (asked: ChatRequest): string | undefined => bodyOf(provider, asked, offer);
  const whole = sent(short);
  // It is refused, which is no silent change.
  if (whole === undefined) return [];
  return names.flatMap((name) => {
    if (name === 'reasoning_effort' || name === 'reasoning') return effortChange(short, { name, whole, sent });
    return sent(without(short, name)) === whole ? [`${name} is not sent`] : [];
  });
}

/** With one question, because only members are compared. */
const shortened = ({ tools, ...request }: ChatRequest): ChatRequest => ({
  ...request,
  messages: [{ role: 'user', content: 'Hi' }],
  ...(tools?.[0] && { tools: [tools[0]] }),
});

const without = (request: ChatRequest, name: string): ChatRequest => {
  const { [name]: _left, ...rest } = request;
  return { ...rest, model: request.model, messages: request.messages };
};

const ladder = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

interface Comparison {
  name: string;
  whole: string;
  sent(request: ChatRequest): string | undefined;
}

function effortChange(request: ChatRequest, { name, whole, sent }: Comparison): string[] {
  const asked = requestedThinking(request)?.effort;
  if (asked === undefined) return [];
  const plain = without(without(request, 'reasoning'), 'reasoning_effort');
  if (sent(plain) === whole) return [`${name} is not sent`];
  // A number of tokens has no name.
  if (request.reasoning?.max_tokens != null) return [];
  const same = ladder.filter((effort) => sent({ ...plain, reasoning_effort: effort }) === whole);
  const others = same.filter((effort) => effort !== asked);
  return others.length === 0 ? [] : [`${name} ${asked} has the effect of ${others.join(', ')}`];
}

function bodyOf(provider: ChatProvider, request: ChatRequest, offer: Offer): string | undefined {
  try {
    return provider.request({ request, stream: false }, offer).body;
  } catch (thrown) {
    if (thrown instanceof GatewayError) return undefined;
    throw thrown;
  }
}
