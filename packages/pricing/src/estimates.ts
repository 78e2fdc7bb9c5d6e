import { noTokens, type Offer } from '@tallyport/contracts';
import type { ChatRequest, Usage } from '@tallyport/wire';
import type { Money } from './money.ts';
import { price, type BillableUse } from './price.ts';
import { reservedTier, tierForAsked } from './tier-prices.ts';

/** The estimated usage of a request, before a provider has answered. */
export interface RequestEstimate {
  /** Reserved from limits on tokens per minute. */
  readonly tokens: number;
  /** Reserved from budgets, at the price of the offer. */
  at(offer: Offer): BillableUse;
}

/** Characters or bytes of text per token. */
const charactersPerToken = 4;
/** About what vendors count for one image of usual size in a prompt. Also used for files and audio. */
export const tokensPerInputImage = 1_000;
/** For a generated image that is priced by tokens. */
export const tokensPerMadeImage = 2_000;
/** For chats without a limit on the answer. */
const usualAnswerTokens = 1_000;

/** Tokens of a text of this length, for vendors that report no usage. */
export const estimateTextTokens = (length: number): number => Math.ceil(length / charactersPerToken);

/** Estimates prompt and answer of a chat: its text, its images, and the longest answer that it allows. */
export function estimateChat(request: ChatRequest): RequestEstimate {
  const input = estimatePrompt(request);
  const longest = longestAsked(request) ?? usualAnswerTokens;
  const answers = request.n ?? 1;
  return {
    tokens: input + longest * answers,
    at: (offer) => {
      // An answer is never longer than the provider's maximum, even if the request allows more.
      const output = Math.min(longest, offer.maxOutput ?? longest) * answers;
      const tier = reservedTier(request.service_tier, offer);
      return { tokens: { ...noTokens, input, output }, images: 0, tier };
    },
  };
}

/** The limit that a request sets for each answer. */
const longestAsked = ({ max_tokens: most, max_completion_tokens: mostInAll }: ChatRequest): number | undefined =>
  mostInAll ?? most ?? undefined;

/** Characters of text in all messages. */
export function promptLength({ messages }: ChatRequest): number {
  let length = 0;
  for (const { content } of messages) {
    if (typeof content === 'string') length += content.length;
    else if (Array.isArray(content)) for (const part of content) length += part.type === 'text' ? part.text.length : 0;
  }
  return length;
}

/** Tokens of the whole prompt: text, tool calls, images, and the definitions of tools and schemas. */
export function estimatePrompt(request: ChatRequest): number {
  const { tools, functions, response_format: format } = request;
  const characters = promptLength(request) + callsLength(request) + textIn([tools, functions, format]);
  return estimateTextTokens(characters) + attachmentsIn(request) * tokensPerInputImage;
}

function attachmentsIn({ messages }: ChatRequest): number {
  let count = 0;
  for (const { content } of messages) {
    if (Array.isArray(content)) for (const { type } of content) count += type === 'text' || type === 'refusal' ? 0 : 1;
  }
  return count;
}

function callsLength({ messages }: ChatRequest): number {
  let length = 0;
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of message.tool_calls ?? []) {
      length += call.type === 'function' ? textIn(call.function) : textIn(call.custom);
    }
    length += textIn(message.function_call) + (message.reasoning_content?.length ?? 0);
  }
  return length;
}

/** Characters of all names and texts in a value. Requests are nested a few levels at most. */
function textIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const [name, member] of Object.entries(value)) {
    length += (Array.isArray(value) ? 0 : name.length) + textIn(member);
  }
  return length;
}

/** Tokens of texts or of lists of tokens, and of images beside them. */
export const estimateInputs = (inputs: readonly (string | readonly number[])[], images = 0): number =>
  inputs.reduce(
    (sum, input) => sum + (typeof input === 'string' ? estimateTextTokens(input.length) : input.length),
    images * tokensPerInputImage,
  );

/** Calls without a generated answer, such as embeddings, cost only their inputs. */
export function estimatePrompts(inputs: readonly (string | readonly number[])[], images = 0): RequestEstimate {
  const input = estimateInputs(inputs, images);
  return { tokens: input, at: () => ({ tokens: { ...noTokens, input }, images: 0 }) };
}

/** The countable parts of an answer that were delivered. */
interface DeliveredContent {
  /** Characters of text: content, thinking and tool calls. */
  bytes: number;
  images: number;
  /** The service tier that its vendor named, `default` for the standard one. */
  tier?: string | undefined;
}

/** The estimated usage of a chat whose provider reported none, used for billing. */
export function estimateUsage(request: ChatRequest, { bytes, images, tier }: DeliveredContent, offer: Offer): Usage {
  const promptTokens = estimatePrompt(request);
  // Images with a price per image are not charged by tokens.
  const imageTokens = offer.pricing.image === undefined ? images * tokensPerMadeImage : 0;
  const textTokens = Math.min(estimateTextTokens(bytes), mostTextTokens(request, offer));
  const completionTokens = textTokens + imageTokens;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(imageTokens > 0 && { completion_tokens_details: { image_tokens: imageTokens } }),
    ...tierOfEstimate(request, tier, offer),
  };
}

/** The tier that the vendor named, or else the one that was asked, if the offer has it. */
function tierOfEstimate(
  { service_tier: asked }: ChatRequest,
  named: string | undefined,
  offer: Offer,
): Pick<Usage, 'service_tier'> {
  if (named !== undefined) return named === 'default' ? {} : { service_tier: named };
  const tier = tierForAsked(asked, offer);
  return tier === undefined ? {} : { service_tier: tier };
}

/** No vendor bills more than the request or its model allows, however many short events it sends. */
const mostTextTokens = (request: ChatRequest, { maxOutput = Infinity }: Offer): number =>
  Math.min(longestAsked(request) ?? Infinity, maxOutput) * (request.n ?? 1);

/** The cost of the estimate at the most expensive offer. An offer without a price counts as free. */
export function highestCost(offers: readonly Offer[], estimate: RequestEstimate): Money {
  let highest = 0n;
  for (const offer of offers) {
    const { cost = 0n } = price(offer, estimate.at(offer));
    if (cost > highest) highest = cost;
  }
  return highest;
}
