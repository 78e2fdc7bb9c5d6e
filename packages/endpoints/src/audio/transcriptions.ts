import { transcriptFormats } from '@tallyport/providers';
import { z } from 'zod';
import { eventStream, form, json } from '../content-types.ts';
import type { EndpointDescription } from '../description.ts';
import { routingFields, routingHeaders } from '../routing-members.ts';

const text = z.string();
/** Lists and objects have a part for each of their members, as the SDK of OpenAI sends them. */
const texts = z.array(text).optional();
const format = z.enum(transcriptFormats).optional();

/** What both forms have besides the fields that are passed on. */
const ofForms = {
  file: text.meta({ format: 'binary' }).describe('The audio, with a file name.'),
  model: text,
  ...routingFields,
};

const ofTranscriptions = {
  language: text.optional().describe('Of the audio, as in ISO 639-1.'),
  prompt: text.optional(),
  temperature: z.number().optional(),
  stream: z.boolean().optional().describe('Sends events, for models that can.'),
  'timestamp_granularities[]': z.array(z.enum(['word', 'segment'])).optional(),
  'include[]': texts,
  chunking_strategy: text.optional(),
  'chunking_strategy[type]': text.optional(),
  'chunking_strategy[threshold]': z.number().optional(),
  'chunking_strategy[prefix_padding_ms]': z.int().optional(),
  'chunking_strategy[silence_duration_ms]': z.int().optional(),
  'languages[]': texts,
  'keywords[]': texts,
  'known_speaker_names[]': texts,
  'known_speaker_references[]': texts,
};

const ofTranslations = {
  prompt: text.optional().describe('In English.'),
  temperature: z.number().optional(),
};

/** The fields that are passed on. All others are refused by name: without one, the answer could be another. */
export const transcriptFields: Readonly<Record<'transcribe' | 'translate', ReadonlySet<string>>> = {
  transcribe: new Set(Object.keys(ofTranscriptions)),
  translate: new Set(Object.keys(ofTranslations)),
};

const description = `The form has at most \`MAX_BODY_BYTES\`. Its file is passed on unchanged, and so is every field that the model accepts;
others are refused by name. Requests count towards the limits of chats.`;

const answers = {
  200: {
    description: "The vendor's transcript in the requested format.",
    content: {
      [json]: { schema: z.looseObject({ text }) },
      'text/plain': { schema: text },
      [eventStream]: { schema: text },
    },
  },
};

export const transcriptionsDescription: EndpointDescription = {
  id: 'createTranscription',
  tag: 'Audio',
  summary: "Writes audio down, in the format of OpenAI's transcription API.",
  description,
  headers: routingHeaders,
  body: {
    [form]: {
      schema: z.strictObject({
        ...ofForms,
        response_format: format.describe('Default: `json`. Not every model has every format.'),
        ...ofTranscriptions,
      }),
    },
  },
  answers,
};

export const translationsDescription: EndpointDescription = {
  id: 'createTranslation',
  tag: 'Audio',
  summary: "Writes audio down in English, in the format of OpenAI's translation API.",
  description,
  headers: routingHeaders,
  body: { [form]: { schema: z.strictObject({ ...ofForms, response_format: format, ...ofTranslations }) } },
  answers,
};
