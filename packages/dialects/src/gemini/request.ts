import type { ChatMessage, ChatRequest } from '@tallyport/wire';
import { parsedBody } from '../parsed-body.ts';
import { inClientSpelling } from './client-spelling.ts';
import { contentMessages } from './contents.ts';
import { toChatMembers } from './generation-config.ts';
import { generateContentSchema, type GenerateContentBody } from './request-schema.ts';
import { functionTools } from './tools.ts';

export interface GeminiRequest {
  chat: ChatRequest;
  /** The client wants to see the model's thoughts. */
  includeThoughts: boolean;
}

export function readGenerateContent(
  body: unknown,
  { model, stream }: { model: string; stream: boolean },
): GeminiRequest {
  return inClientSpelling(body, () => readChat(body, { model, stream }));
}

function readChat(body: unknown, { model, stream }: { model: string; stream: boolean }): GeminiRequest {
  const request = parsedBody(generateContentSchema, body);
  return {
    chat: {
      ...toChatRequest(request, model),
      // The usage is part of every stream of this API.
      ...(stream && { stream: true, stream_options: { include_usage: true } }),
    },
    includeThoughts: request.generationConfig?.thinkingConfig?.includeThoughts === true,
  };
}

function toChatRequest(body: GenerateContentBody, model: string): ChatRequest {
  const { contents, systemInstruction, generationConfig, serviceTier } = body;
  const tier = tierOfGemini(serviceTier);
  return {
    model,
    messages: [...instructionsOf(systemInstruction), ...contentMessages(contents)],
    ...toChatMembers(generationConfig ?? {}),
    ...functionTools(body),
    ...(tier && { service_tier: tier }),
  };
}

/** The service tier that a request asks, in OpenAI's words. */
export function tierOfGemini(tier: unknown): string | undefined {
  const name = typeof tier === 'string' ? tier.toLowerCase() : 'unspecified';
  if (name === 'unspecified') return undefined;
  return name === 'standard' ? 'default' : name;
}

function instructionsOf(given: GenerateContentBody['systemInstruction']): ChatMessage[] {
  const texts = typeof given === 'string' ? [given] : (given?.parts ?? []).map(({ text }) => text);
  const parts = texts.filter((text) => text !== '').map((text) => ({ type: 'text' as const, text }));
  const [only] = parts;
  if (only === undefined) return [];
  return [{ role: 'system', content: parts.length === 1 ? only.text : parts }];
}
