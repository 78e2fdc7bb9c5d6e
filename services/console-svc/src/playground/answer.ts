import { GatewayError } from '@tallyport/contracts';
import { z } from 'zod';
import type { PlaygroundReply, PlaygroundKind } from '../gateway/gateway-api.ts';

/** A whole answer, as the page shows it. */
export interface PlaygroundAnswer {
  model: string;
  text: string;
  toolCalls: readonly { name: string; arguments: string }[];
  /** Addresses of images, which may hold the image itself. */
  images: readonly string[];
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

export function readPlaygroundAnswer(kind: PlaygroundKind, model: string, answer: PlaygroundReply): PlaygroundAnswer {
  return kind === 'chat' ? readCompletion(model, answer) : readImages(model, answer);
}

function readCompletion(model: string, answer: PlaygroundReply): PlaygroundAnswer {
  const { choices, usage } = parse(completionSchema, answer.body);
  const { content, tool_calls: calls = [] } = choices[0]?.message ?? {};
  const toolCalls = calls.map((call) => call.function);
  return {
    model,
    text: content ?? '',
    toolCalls,
    images: [],
    facts: factsOf(answer, usage),
    requestId: answer.requestId,
  };
}

function readImages(model: string, answer: PlaygroundReply): PlaygroundAnswer {
  const { data, usage } = parse(imagesSchema, answer.body);
  const images = data.flatMap(({ b64_json: base64, url }) =>
    base64 ? `data:image/png;base64,${base64}` : (url ?? []),
  );
  return { model, text: '', toolCalls: [], images, facts: factsOf(answer, usage), requestId: answer.requestId };
}

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
