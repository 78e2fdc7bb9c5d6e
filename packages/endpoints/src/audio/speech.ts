import { speechFormats } from '@tallyport/providers';
import { z } from 'zod';
import { eventStream, json } from '../content-types.ts';
import type { EndpointDescription } from '../description.ts';
import { routingHeaders, routingMembers } from '../routing-members.ts';

/** OpenAI's limit. */
const mostCharacters = 4_096;

const words = z.string('must be text');
const speed = 'must be a number from 0.25 to 4';

/** Unknown members are refused: dropping one could change the voice without notice. */
export const speechRequest = z.strictObject({
  model: words.min(1, 'must not be empty'),
  input: words
    .min(1, 'must not be empty')
    .refine((text) => [...text].length <= mostCharacters, `must have at most ${mostCharacters} characters; split it`)
    .describe('Up to 4,096 characters.'),
  voice: z
    .union([words.min(1), z.strictObject({ id: words.min(1) })], 'must be a name, or an object with an `id`')
    .describe("The vendor's name of a voice, or its id."),
  instructions: words.nullish().describe('How to speak, for models that take instructions.'),
  response_format: z
    .enum(speechFormats, `must be one of ${speechFormats.join(', ')}`)
    .nullish()
    .describe('Default: `mp3`.'),
  speed: z.number(speed).min(0.25, speed).max(4, speed).nullish(),
  stream_format: z
    .enum(['audio', 'sse'], 'must be `audio` or `sse`')
    .nullish()
    .describe('`sse`: events with base64, the last one with usage.'),
  ...routingMembers,
});

const mediaTypes = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
} as const satisfies Record<(typeof speechFormats)[number], string>;

/** The content type of an answer. */
export const speechType = (format: (typeof speechFormats)[number]): string => mediaTypes[format];

const bytes = z.string().describe('The bytes of the file, as they arrive from the provider.');
const files = Object.fromEntries(Object.values(mediaTypes).map((type) => [type, { schema: bytes }]));

const example = { model: 'sandbox-speech', input: 'The trains are sorted by night.', voice: 'alloy' };

export const speechDescription: EndpointDescription = {
  id: 'createSpeech',
  tag: 'Audio',
  summary: "Reads a text aloud, in the format of OpenAI's speech API.",
  description: `The provider's bytes are passed on as they arrive; if it breaks off, so does the response. Failover uses only providers of
the same model, or of those of \`models\`, before the first bytes. Requests count towards the limits of chats.`,
  headers: routingHeaders,
  body: { [json]: { schema: speechRequest, examples: { plain: { summary: 'A sentence', value: example } } } },
  answers: {
    200: { description: 'The audio, or events.', content: { ...files, [eventStream]: { schema: z.string() } } },
  },
};
