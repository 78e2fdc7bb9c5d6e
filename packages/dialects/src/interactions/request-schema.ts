import { z } from 'zod';
import { absent, openObject } from '../anthropic-messages/block-schemas.ts';
import { parsedBody } from '../parsed-body.ts';

const text = z.string();

const unsupported = (error: string) => ({ error, params: { unsupported: true } });

const unknownMember = z.custom<unknown>(
  (value) => value == null,
  unsupported("only Google's own models get this member: leave it out"),
);

/** What a chat of another vendor has nothing for is refused by its name, and so are members of next month. */
const known = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).catchall(unknownMember);

const onlyGoogle = "only Google's own models have it: leave it out";
const atTheVendor = 'what is stored with Google belongs to the account of the gateway';
const noAgents = 'agents run at Google and are not offered: send model';

/** Members that are off unless they are `true`. */
const off = (why: string) =>
  z.custom<false | null | undefined>((value) => value == null || value === false, unsupported(why)).optional();

const tool = z.discriminatedUnion(
  'type',
  [
    known({
      type: z.literal('function'),
      name: text.min(1),
      description: text.nullish(),
      parameters: openObject.nullish(),
    }),
  ],
  {
    error: ({ input }) => {
      const type = typeof input === 'object' && input !== null && 'type' in input ? input.type : undefined;
      const name = typeof type === 'string' && type.length < 60 ? `${type} is not supported: ` : '';
      return `${name}must be a function, because tools that Google runs are only for its own models`;
    },
  },
);

const toolModes = ['auto', 'any', 'none', 'validated'] as const;
const mode = z.enum(toolModes);

const toolChoice = z.union(
  [mode, known({ allowed_tools: known({ mode: mode.nullish(), tools: z.array(text).nullish() }).nullish() })],
  { error: `must be one of ${toolModes.join(', ')}, or an object with allowed_tools` },
);

const imageConfig = known({ aspect_ratio: text.nullish(), image_size: text.nullish() });

const generationConfig = known({
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  seed: z.int().nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  stop_sequences: z.array(text).max(5, 'must have at most 5 entries').nullish(),
  thinking_level: z.enum(['minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
  thinking_summaries: z.enum(['auto', 'none']).nullish(),
  tool_choice: toolChoice.nullish(),
  image_config: imageConfig.nullish(),
  speech_config: absent(onlyGoogle),
  transcription_config: absent(onlyGoogle),
  video_config: absent(onlyGoogle),
});

const textFormat = known({
  type: z.literal('text'),
  mime_type: z.enum(['text/plain', 'application/json']).nullish(),
  schema: openObject.nullish(),
});

const imageFormat = known({
  type: z.literal('image'),
  aspect_ratio: text.nullish(),
  image_size: text.nullish(),
  delivery: z.literal('inline', 'only inline is supported').nullish(),
});

const otherFormat = known({ type: z.enum(['audio', 'video'], 'must be one of text, image') }).refine(
  () => false,
  'only text and image are supported',
);

const formatTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'video']);

/** A format, or a JSON schema by itself, whose types have other names. */
const responseFormat = z.union([
  z.discriminatedUnion('type', [textFormat, imageFormat, otherFormat]),
  openObject.refine(({ type }) => !formatTypes.has(type), 'must be a format or a JSON schema'),
]);

/** Other vendors have no such filters, so a request for one is not met without it. */
const safetySetting = z.looseObject({
  type: text,
  threshold: z.enum(
    ['block_none', 'off'],
    "must be one of block_none, off: only Google's own models block by a threshold",
  ),
});

/** What a chat cannot express is refused by name. */
export const interactionSchema = known({
  model: text.min(1),
  agent: absent(noAgents),
  agent_config: absent(noAgents),
  background: off(
    'must be a boolean, and interactions made in the background must be stored by this gateway (RESPONSES_DAYS, RESPONSES_BACKGROUND_OPEN)',
  ),
  cached_content: absent(atTheVendor),
  continuation_token: absent("only Google's own models go on with a token: leave it out"),
  environment: absent('environments belong to agents, which are not offered'),
  generation_config: generationConfig.nullish(),
  /** Read by itself, because its form decides the paths in errors. */
  input: z.unknown(),
  labels: z.record(text, text).nullish(),
  previous_interaction_id: text.nullish(),
  response_format: z.union([responseFormat, z.array(responseFormat)]).nullish(),
  response_mime_type: z.enum(['text/plain', 'application/json']).nullish(),
  response_modalities: z.array(z.enum(['text', 'image'], 'only text and image are supported')).nullish(),
  safety_settings: z.array(safetySetting).nullish(),
  service_tier: z
    .enum(['standard', 'flex', 'priority'], 'must be one of standard, flex, priority: the others run in the background')
    .nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  system_instruction: text.nullish(),
  tools: z.array(tool).nullish(),
  webhook_config: absent('this gateway calls no webhooks of requests: wait for the answer'),
});

export type InteractionBody = z.infer<typeof interactionSchema>;
export type InteractionTool = NonNullable<InteractionBody['tools']>[number];
export type InteractionConfig = NonNullable<InteractionBody['generation_config']>;

export const parseInteraction = (body: unknown): InteractionBody => parsedBody(interactionSchema, body);
