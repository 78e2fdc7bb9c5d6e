import { type ErrorCode, type Model, type Offer, ownEndpoints, ownModalityOf } from '@tallyport/contracts';
import { promptLength } from '@tallyport/pricing';
import type { ChatRequest, UserPart } from '@tallyport/wire';

/** A capability that a request needs and not every offer has, with the member that needs it, for the error. */
export interface Need {
  readonly param: string;
  readonly what: string;
  /** The error code if no offer meets it; `unsupported_capability` when absent. */
  readonly code?: ErrorCode;
  /** The error message, if it says more than which capability is missing. */
  message?(model: Model): string;
  met(model: Model, offer: Offer): boolean;
}

/** Whether a message has a part of this kind. */
const has =
  (kind: UserPart['type']) =>
  ({ content }: ChatRequest['messages'][number]): boolean =>
    Array.isArray(content) && content.some(({ type }) => type === kind);

const hasImage = has('image_url');
const hasFile = has('file');
const hasAudio = has('input_audio');

const needs: readonly (Need & { appliesTo(request: ChatRequest): boolean })[] = [
  {
    param: 'model',
    what: 'chats',
    message: notForChats,
    appliesTo: () => true,
    met: ({ outputModalities }) => ownModalityOf(outputModalities) === undefined,
  },
  {
    param: 'stream',
    what: 'streaming',
    appliesTo: ({ stream }) => stream === true,
    met: (_model, offer) => offer.streaming,
  },
  {
    param: 'tools',
    what: 'tools',
    appliesTo: ({ tools }) => isFilled(tools),
    met: (_model, offer) => offer.tools,
  },
  {
    param: 'functions',
    what: 'functions',
    appliesTo: ({ functions }) => isFilled(functions),
    met: (_model, offer) => offer.tools,
  },
  {
    param: 'messages',
    what: 'image input',
    appliesTo: ({ messages }) => messages.some(hasImage),
    met: (_model, offer) => offer.vision,
  },
  {
    param: 'messages',
    what: 'file input',
    appliesTo: ({ messages }) => messages.some(hasFile),
    // Vision models also read documents, as pages. Not every source of the catalogue lists that.
    met: ({ inputModalities: kinds }, offer) => kinds.includes('file') || offer.vision,
  },
  {
    param: 'messages',
    what: 'audio input',
    appliesTo: ({ messages }) => messages.some(hasAudio),
    met: ({ inputModalities: kinds }) => kinds.includes('audio'),
  },
  {
    param: 'response_format',
    what: 'JSON output',
    appliesTo: ({ response_format: format }) => format?.type === 'json_object',
    met: (model, offer) => offer.jsonOutput ?? (model.jsonOutput || follows(model, offer)),
  },
  {
    param: 'response_format',
    what: 'output that follows a JSON schema',
    appliesTo: ({ response_format: format }) => format?.type === 'json_schema',
    met: follows,
  },
];

export function needsOf(request: ChatRequest): Need[] {
  const applying: Need[] = needs.filter(({ appliesTo }) => appliesTo(request));
  const context = contextNeed(request);
  if (context !== undefined) applying.push(context);
  return applying;
}

/**
 * More characters than any tokenizer packs into a token of common text. Prompts closer to the limit are left to the
 * provider.
 */
const charactersPerToken = 6;

/** The tokens that a text of this length has at least. */
export const leastTokens = (length: number): number => Math.ceil(length / charactersPerToken);

/** Every model's context holds this many tokens, so smaller prompts are not checked. */
const smallContext = 4_096;

function contextNeed(request: ChatRequest): Need | undefined {
  const tokens = leastTokens(promptLength(request));
  if (tokens <= smallContext) return undefined;
  const met = (model: Model, offer: Offer) => tokens <= (offer.contextLength ?? model.contextLength ?? Infinity);
  const what = `a prompt of at least ${tokens} tokens`;
  return { param: 'messages', what, code: 'context_length_exceeded', met };
}

function notForChats({ id, outputModalities }: Model): string {
  const modality = ownModalityOf(outputModalities) ?? 'embeddings';
  return `'${id}' makes ${modality}, not chats. Send it to ${ownEndpoints[modality]}.`;
}

function follows(model: Model, offer: Offer): boolean {
  return offer.structuredOutputs ?? model.structuredOutputs;
}

const isFilled = (list: readonly unknown[] | null | undefined): boolean => (list?.length ?? 0) > 0;
