import type { Model, Offer } from '@switchyard/contracts';
import type { ChatRequest } from '@switchyard/wire';

/** What a request asks for that not every offer can do. Each has the member that asks for it, for the error. */
export interface Need {
  readonly param: string;
  readonly what: string;
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
    met: (model) => model.jsonOutput || model.structuredOutputs,
  },
  {
    param: 'response_format',
    what: 'output that follows a JSON schema',
    asked: ({ response_format: format }) => format?.type === 'json_schema',
    met: (model) => model.structuredOutputs,
  },
];

export const needsOf = (request: ChatRequest): Need[] => needs.filter(({ asked }) => asked(request));

const isFilled = (list: readonly unknown[] | null | undefined): boolean => (list?.length ?? 0) > 0;

const hasImage = ({ content }: ChatRequest['messages'][number]): boolean =>
  Array.isArray(content) && content.some(({ type }) => type === 'image_url');
