import { noTokens, type Offer } from '@switchyard/contracts';
import type { ChatRequest, Usage } from '@switchyard/wire';
import type { Money } from './money.ts';
import { price, type BillableUse } from './price.ts';

/** What a request may use, before a provider has answered. */
export interface RequestEstimate {
  /** Reserved of limits of tokens per minute. */
  readonly tokens: number;
  /** Reserved of budgets, at the price of the offer. */
  at(offer: Offer): BillableUse;
}

/** Four characters or bytes of text to a token. */
const charactersPerToken = 4;
/** About what vendors count for one image of usual size in a prompt. */
const tokensPerInputImage = 1_000;
/** For an image that is made, where its price is that of its tokens. */
const tokensPerMadeImage = 2_000;
/** For chats that do not limit their answer. */
const usualAnswerTokens = 1_000;

/** Tokens of a text of this length, for vendors that report none. */
export const estimateTextTokens = (length: number): number => Math.ceil(length / charactersPerToken);

/** Prompt and answer of a chat: its text, its images and the longest answer it allows. */
export function estimateChat(request: ChatRequest): RequestEstimate {
  const { n, max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens } = request;
  const input = estimateTextTokens(promptLength(request)) + imagesIn(request) * tokensPerInputImage;
  const output = (maxCompletionTokens ?? maxTokens ?? usualAnswerTokens) * (n ?? 1);
  return { tokens: input + output, at: () => ({ tokens: { ...noTokens, input, output }, images: 0 }) };
}

/** Characters of text in all messages. */
export function promptLength({ messages }: ChatRequest): number {
  let length = 0;
  for (const { content } of messages) {
    if (typeof content === 'string') length += content.length;
    else if (Array.isArray(content)) for (const part of content) length += part.type === 'text' ? part.text.length : 0;
  }
  return length;
}

function imagesIn({ messages }: ChatRequest): number {
  let count = 0;
  for (const { content } of messages) {
    if (Array.isArray(content)) for (const part of content) count += part.type === 'image_url' ? 1 : 0;
  }
  return count;
}

export interface WantedImages {
  prompt: string;
  n: number;
  /** Given to be changed. */
  images: readonly unknown[];
}

export function estimateImages({ prompt, n, images }: WantedImages): RequestEstimate {
  const input = estimateTextTokens(prompt.length);
  const imageOut = n * tokensPerMadeImage;
  return {
    tokens: input + images.length * tokensPerInputImage + imageOut,
    at: ({ pricing }) => ({
      tokens: pricing.image === undefined ? { ...noTokens, input, imageOut } : noTokens,
      images: n,
    }),
  };
}

/** The usage of a chat whose provider reported none: good enough to bill it. */
export function estimateUsage(request: ChatRequest, deliveredBytes: number): Usage {
  const promptTokens = estimateTextTokens(promptLength(request));
  const completionTokens = estimateTextTokens(deliveredBytes);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** The estimate at the most expensive of the offers. An offer without a price counts as free. */
export function highestCost(offers: readonly Offer[], estimate: RequestEstimate): Money {
  let highest = 0n;
  for (const offer of offers) {
    const { cost = 0n } = price(offer, estimate.at(offer));
    if (cost > highest) highest = cost;
  }
  return highest;
}
