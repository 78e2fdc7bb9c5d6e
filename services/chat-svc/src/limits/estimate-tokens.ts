import { promptLength } from '@switchyard/dispatch';
import type { ChatRequest } from '@switchyard/wire';

const charactersPerToken = 4;
/** About what vendors count for one picture of usual size. */
const tokensPerImage = 1_000;
/** For requests that leave open how long an answer may be. */
const usualAnswerTokens = 1_000;

/** What a chat may cost, before anybody knows: its text, its images and the longest answer it allows. */
export function estimateTokens(request: ChatRequest): number {
  const { prompt, answer } = estimatedUse(request);
  return prompt + answer;
}

export function estimatedUse(request: ChatRequest): { prompt: number; answer: number } {
  const { n, max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens } = request;
  const answer = maxCompletionTokens ?? maxTokens ?? usualAnswerTokens;
  const text = Math.ceil(promptLength(request) / charactersPerToken);
  return { prompt: text + imagesIn(request) * tokensPerImage, answer: answer * (n ?? 1) };
}

function imagesIn({ messages }: ChatRequest): number {
  let count = 0;
  for (const { content } of messages) {
    if (Array.isArray(content)) for (const part of content) count += part.type === 'image_url' ? 1 : 0;
  }
  return count;
}
