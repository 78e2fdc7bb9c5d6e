import type { ErrorCode, Model, Offer } from '@switchyard/contracts';
import { promptLength } from '@switchyard/pricing';
import type { ChatRequest } from '@switchyard/wire';

/** What a request asks for that not every offer can do. Each has the member that asks for it, for the error. */
export interface Need {
  readonly param: string;
  readonly what: string;
  /** What the client is told when nothing can; `unsupported_capability` when absent. */
  readonly code?: ErrorCode;
  met(model: Model, offer: Offer): boolean;
}

const needs: readonly (Need & { asked(request: ChatRequest): boolean })[] = [
  {
    param: 'stream',
    what: 'streaming',
    asked: ({ stream }) => stream === true,
    met: (_model, offer) => offer.streaming,
  },
  {
    param: 'tools',
    what: 'tools',
    asked: ({ tools, functions }) => isFilled(tools) || isFilled(functions),
    met: (_model, offer) => offer.tools,
  },
  {
    param: 'messages',
    what: 'image input',
    asked: ({ messages }) => messages.some(hasImage),
    met: (_model, offer) => offer.vision,
  },
  {
    param: 'response_format',
    what: 'JSON output',
    asked: ({ response_format: format }) => format?.type === 'json_object',
    met: (model, offer) => offer.jsonOutput ?? (model.jsonOutput || follows(model, offer)),
  },
  {
    param: 'response_format',
    what: 'output that follows a JSON schema',
    asked: ({ response_format: format }) => format?.type === 'json_schema',
    met: follows,
  },
];

export const needsOf = (request: ChatRequest): Need[] => [
  ...needs.filter(({ asked }) => asked(request)),
  ...outputNeed(request),
  ...contextNeed(request),
];

function outputNeed({ max_completion_tokens: current, max_tokens: old }: ChatRequest): Need[] {
  const tokens = current ?? old;
  if (tokens === undefined || tokens === null) return [];
  const met = (model: Model, offer: Offer) => tokens <= (offer.maxOutput ?? model.maxOutput ?? Infinity);
  const param = current === undefined || current === null ? 'max_tokens' : 'max_completion_tokens';
  return [{ param, what: `an answer of ${tokens} tokens`, met }];
}

/** More characters than any tokenizer packs into a token of common text: what lies between is the provider's to judge. */
const charactersPerToken = 6;
/** Every model's context holds this many tokens, so smaller prompts need no comparison. */
const smallContext = 4_096;

function contextNeed(request: ChatRequest): Need[] {
  const tokens = Math.ceil(promptLength(request) / charactersPerToken);
  if (tokens <= smallContext) return [];
  const met = (model: Model, offer: Offer) => tokens <= (offer.contextLength ?? model.contextLength ?? Infinity);
  const what = `a prompt of at least ${tokens} tokens`;
  return [{ param: 'messages', what, code: 'context_length_exceeded', met }];
}

function follows(model: Model, offer: Offer): boolean {
  return offer.structuredOutputs ?? model.structuredOutputs;
}

const isFilled = (list: readonly unknown[] | null | undefined): boolean => (list?.length ?? 0) > 0;

const hasImage = ({ content }: ChatRequest['messages'][number]): boolean =>
  Array.isArray(content) && content.some(({ type }) => type === 'image_url');
