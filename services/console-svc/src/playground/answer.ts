import { GatewayError } from '@tallyport/contracts';
import { embeddingsText, type PlaygroundKind } from '@tallyport/pages';
import { z } from 'zod';
import type { PlaygroundReply } from '../gateway/gateway-api.ts';

/** A whole answer, as the page shows it. */
export interface PlaygroundAnswer {
  model: string;
  text: string;
  toolCalls: readonly { name: string; arguments: string }[];
  /** Addresses of images, which may hold the image itself. */
  images: readonly string[];
  /** The address of a file that holds the file itself. */
  speech?: string;
  /** The route, the tokens and the cost. */
  facts: readonly (readonly [name: string, value: string])[];
  requestId: string;
}

const usageSchema = z
  .object({
    prompt_tokens: z.number().optional(),
    completion_tokens: z.number().optional(),
    cost: z.number().optional(),
  })
  .optional();

const callSchema = z.object({ function: z.object({ name: z.string(), arguments: z.string() }) });

const completionSchema = z.object({
  choices: z.array(
    z.object({ message: z.object({ content: z.string().nullish(), tool_calls: z.array(callSchema).optional() }) }),
  ),
  usage: usageSchema,
});

const imagesSchema = z.object({
  data: z.array(z.object({ b64_json: z.string().optional(), url: z.string().optional() })),
  usage: usageSchema,
});

const embeddingsSchema = z.object({
  data: z.array(z.object({ embedding: z.array(z.number()) })),
  usage: usageSchema,
});

const speechSchema = z.object({ type: z.string(), base64: z.string() });

type AnswerContent = Partial<PlaygroundAnswer> & { usage?: z.output<typeof usageSchema> };

export function readPlaygroundAnswer(kind: PlaygroundKind, model: string, answer: PlaygroundReply): PlaygroundAnswer {
  const { usage, ...content } = contents[kind](answer.body);
  const nothing = { text: '', toolCalls: [], images: [] };
  return { model, ...nothing, ...content, facts: factsOf(answer, usage), requestId: answer.requestId };
}

const contents: Readonly<Record<PlaygroundKind, (body: unknown) => AnswerContent>> = {
  chat(body) {
    const { choices, usage } = parse(completionSchema, body);
    const { content, tool_calls: calls = [] } = choices[0]?.message ?? {};
    return { text: content ?? '', toolCalls: calls.map((call) => call.function), usage };
  },
  images(body) {
    const { data, usage } = parse(imagesSchema, body);
    const images = data.flatMap(({ b64_json: base64, url }) =>
      base64 ? `data:image/png;base64,${base64}` : (url ?? []),
    );
    return { images, usage };
  },
  embeddings(body) {
    const { data, usage } = parse(embeddingsSchema, body);
    return { text: embeddingsText(data.map(({ embedding }) => embedding)), usage };
  },
  speech(body) {
    const { type, base64 } = parse(speechSchema, body);
    return { speech: `data:${type};base64,${base64}` };
  },
};

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new GatewayError('internal_error', 'The answer cannot be shown. Send the request with the API.', {
    cause: parsed.error,
  });
}

function factsOf({ headers }: PlaygroundReply, usage: z.output<typeof usageSchema>): PlaygroundAnswer['facts'] {
  const { prompt_tokens: input, completion_tokens: output, cost } = usage ?? {};
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Provider', headers['x-tallyport-provider']],
    ['Attempts', headers['x-tallyport-attempts']],
    ['Cache', headers['x-tallyport-cache']],
    ['Tokens', input === undefined ? undefined : `${input} in, ${output ?? 0} out`],
    ['Cost', cost === undefined ? undefined : `$${Number(cost.toPrecision(3))}`],
  ];
  return facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value] as const]));
}
