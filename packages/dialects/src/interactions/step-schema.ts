import { z } from 'zod';
import { absent, openObject, typeError } from '../anthropic-messages/block-schemas.ts';

const text = z.string();

/** Either the bytes, with their type, or an address. */
const source = { data: text.min(1).nullish(), uri: text.min(1).nullish(), mime_type: text.min(1).nullish() };

interface Source {
  data?: string | null | undefined;
  uri?: string | null | undefined;
  mime_type?: string | null | undefined;
}

const hasOneSource = ({ data, uri }: Source): boolean => (data == null) !== (uri == null);
const oneSource = 'must have data with mime_type, or uri';
const isTyped = ({ data, mime_type: type }: Source): boolean => data == null || type != null;

/** Citations of a text that is sent back are notes on it. */
const textContent = z.looseObject({ type: z.literal('text'), text });

const imageContent = z
  .looseObject({
    type: z.literal('image'),
    ...source,
    resolution: absent('the resolution of media cannot be chosen here: leave it out'),
  })
  .refine(hasOneSource, oneSource)
  .refine(isTyped, oneSource);

/** `channels` and `sample_rate` describe raw samples, which are refused by their type; other formats have them inside. */
const audioContent = z
  .looseObject({ type: z.literal('audio'), ...source })
  .refine(hasOneSource, oneSource)
  .refine(isTyped, oneSource);

const documentContent = z
  .looseObject({ type: z.literal('document'), ...source })
  .refine(hasOneSource, oneSource)
  .refine(isTyped, oneSource);

export const stepContent = z.discriminatedUnion('type', [textContent, imageContent, audioContent, documentContent], {
  error: typeError(['text', 'image', 'audio', 'document']),
});

/** The types of contents, translated or not; the other members of an input are steps. */
const contentTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'document', 'video']);

/** Whether an entry of an input is a content and no step. */
export const isStepContent = (entry: unknown): boolean =>
  typeof entry === 'object' && entry !== null && 'type' in entry && contentTypes.has(entry.type);

const contents = z.array(stepContent).nullish();

const summary = z.discriminatedUnion('type', [textContent, z.looseObject({ type: z.literal('image') })], {
  error: typeError(['text', 'image']),
});

const result = z.union([text, z.array(stepContent), openObject], {
  error: 'must be a text, a list of contents or an object',
});

export const step = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('user_input'), content: contents }),
    z.looseObject({ type: z.literal('model_output'), content: contents }),
    z.looseObject({ type: z.literal('thought'), signature: text.nullish(), summary: z.array(summary).nullish() }),
    z.looseObject({ type: z.literal('function_call'), id: text.min(1), name: text.min(1), arguments: openObject }),
    z.looseObject({
      type: z.literal('function_result'),
      call_id: text.min(1),
      name: text.nullish(),
      is_error: z.boolean().nullish(),
      result,
    }),
  ],
  { error: typeError(['user_input', 'model_output', 'thought', 'function_call', 'function_result']) },
);

export type StepContent = z.infer<typeof stepContent>;
export type StepBody = z.infer<typeof step>;
export type StepOf<Type extends StepBody['type']> = Extract<StepBody, { type: Type }>;
