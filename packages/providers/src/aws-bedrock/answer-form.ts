import type { Offer } from '@tallyport/contracts';
import type { ChatRequest } from '@tallyport/wire';
import { claudeSchema } from '../anthropic/schema.ts';
import { bedrockRules } from './models.ts';

type JsonObject = Readonly<Record<string, unknown>>;

export interface SchemaForm {
  name: string;
  description: string | undefined;
  schema: JsonObject;
}

/**
 * How the requested answer format is enforced. `native`: structured outputs. `tool`: a forced tool call whose input is
 * the answer. `instruction`: a schema in the system prompt, for models without forced tools. `words`: any JSON object,
 * requested in the system prompt.
 */
export type AnswerForm =
  | { kind: 'free' }
  | { kind: 'words' }
  | ({ kind: 'native' | 'tool' | 'instruction' } & SchemaForm);

/** The tool whose input is the answer. */
export const ANSWER_TOOL = 'answer_as_json';

export function answerFormOf({ response_format: format }: ChatRequest, offer: Offer): AnswerForm {
  if (format?.type === 'json_object') return { kind: 'words' };
  if (format?.type !== 'json_schema') return { kind: 'free' };
  const { name, description, schema } = format.json_schema;
  const { nativeSchema, toolChoice } = bedrockRules(offer);
  const requested = { name, description: description ?? undefined, schema: schema ?? { type: 'object' } };
  const native = nativeSchema ? claudeSchema(requested.schema) : undefined;
  if (native !== undefined) return { ...requested, kind: 'native', schema: native };
  return { ...requested, kind: toolChoice === 'none' ? 'instruction' : 'tool' };
}

/** The instruction for models whose output format cannot be enforced. */
export function instructionFor(form: AnswerForm): string | undefined {
  if (form.kind === 'words') return 'Answer with one valid JSON object and nothing else.';
  if (form.kind !== 'instruction') return undefined;
  return `Answer with one JSON object and nothing else. It has to follow this JSON schema: ${JSON.stringify(form.schema)}`;
}
