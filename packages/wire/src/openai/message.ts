import { z } from 'zod';

const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const imageUrl = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string().min(1), detail: z.string().nullish() }),
});
const inputAudio = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }),
});
const file = z.looseObject({
  type: z.literal('file'),
  file: z.looseObject({
    file_data: z.string().nullish(),
    file_id: z.string().nullish(),
    filename: z.string().nullish(),
  }),
});
const refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });

const partsOf = <Part extends z.ZodType>(part: Part, kinds: string) =>
  z.union([z.string(), z.array(part)], { error: `must be a string or an array of content parts (${kinds})` });

const textContent = partsOf(text, 'text');
const userPart = z.discriminatedUnion('type', [text, imageUrl, inputAudio, file], {
  error: 'must be one of text, image_url, input_audio, file',
});
const assistantPart = z.discriminatedUnion('type', [text, refusal], { error: 'must be one of text, refusal' });
const userContent = partsOf(userPart, 'text, image_url, input_audio, file');
const assistantContent = partsOf(assistantPart, 'text, refusal');

const functionToolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const customToolCall = z.looseObject({
  id: z.string(),
  type: z.literal('custom'),
  custom: z.looseObject({ name: z.string(), input: z.string() }),
});

const instructions = <Role extends string>(role: Role) =>
  z.looseObject({ role: z.literal(role), content: textContent, name: z.string().nullish() });

const assistant = z.looseObject({
  role: z.literal('assistant'),
  content: assistantContent.nullish(),
  name: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z
    .array(
      z.discriminatedUnion('type', [functionToolCall, customToolCall], { error: 'must be one of function, custom' }),
    )
    .nullish(),
  function_call: z.looseObject({ name: z.string(), arguments: z.string() }).nullish(),
  audio: z.looseObject({ id: z.string() }).nullish(),
  /** Ours: the thinking of an earlier turn, for vendors that require it. */
  reasoning_content: z.string().nullish(),
  /** Ours: images generated in an earlier turn. */
  images: z.array(imageUrl).nullish(),
});

/** One message of a request. Unknown members are kept. */
export const chatMessageSchema = z.discriminatedUnion(
  'role',
  [
    instructions('system'),
    instructions('developer'),
    z.looseObject({ role: z.literal('user'), content: userContent, name: z.string().nullish() }),
    assistant,
    z.looseObject({ role: z.literal('tool'), content: textContent, tool_call_id: z.string() }),
    z.looseObject({ role: z.literal('function'), content: z.string().nullable(), name: z.string() }),
  ],
  { error: 'must be one of system, developer, user, assistant, tool, function' },
);

export type ChatMessage = z.infer<typeof chatMessageSchema>;
export type UserPart = z.infer<typeof userPart>;
export type AssistantPart = z.infer<typeof assistantPart>;
