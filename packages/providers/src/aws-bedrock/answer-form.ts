import type { Offer } from '@switchyard/contracts';
import type { ChatRequest } from '@switchyard/wire';
import { bedrockRules } from './models.ts';

type JsonObject = Readonly<Record<string, unknown>>;

export interface SchemaForm {
  name: string;
  description: string | undefined;
  schema: JsonObject;
}

/**
 * How an answer's form is asked for. `tool`: the model has to call a tool whose input is the answer, and the answer is
 * unwrapped again. `words`: only told to, for models that can be held to nothing.
 */
export type AnswerForm = { kind: 'free' } | { kind: 'words' } | ({ kind: 'native' | 'tool' | 'told' } & SchemaForm);

/** The tool whose input is the answer. */
export const ANSWER_TOOL = 'answer_as_json';

export function answerFormOf({ response_format: format }: ChatRequest, offer: Offer): AnswerForm {
  if (format?.type === 'json_object') return { kind: 'words' };
  if (format?.type !== 'json_schema') return { kind: 'free' };
  const { name, description, schema } = format.json_schema;
  const { nativeSchema, toolChoice } = bedrockRules(offer);
  const held = toolChoice === 'none' ? 'told' : 'tool';
  return {
    kind: nativeSchema ? 'native' : held,
    name,
    description: description ?? undefined,
    schema: schema ?? { type: 'object' },
  };
}

/** What the model is told in words, where nothing else holds it to the form. */
export function instructionFor(form: AnswerForm): string | undefined {
  if (form.kind === 'words') return 'Answer with one valid JSON object and nothing else.';
  if (form.kind !== 'told') return undefined;
  return `Answer with one JSON object and nothing else. It has to follow this JSON schema: ${JSON.stringify(form.schema)}`;
}
