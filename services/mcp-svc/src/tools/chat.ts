import { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { readAnswer } from './read-answer.ts';
import { type ContentBlock, defineTool, generating, type Tool } from '../tool.ts';
import { imageOfDataUrl } from '../preview/image-block.ts';

const input = z.strictObject({
  model: z
    .string()
    .min(1)
    .describe('A model id from list-models, with or without the provider: gpt-6-luna, some-provider/gpt-6-luna.'),
  messages: z
    .array(
      z.looseObject({
        role: z.string().describe('"system", "user", "assistant" or "tool".'),
        content: z
          .union(
            [z.string(), z.array(z.looseObject({ type: z.string() }))],
            'must be a string, a list of parts with a type, or null',
          )
          .nullish()
          .describe('The text, or parts as in OpenAI’s chat API; null for a message with tool calls.'),
      }),
    )
    .min(1)
    .describe('The conversation so far, oldest first.'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe('Sampling temperature, 0 to 2. Models with a smaller range use their maximum.'),
  max_tokens: z.int().min(1).optional().describe('The maximum number of tokens to generate.'),
});

const output = z.object({
  model: z.string().describe('The provider and model that answered.'),
  content: z.string(),
  finish_reason: z.string(),
  usage: z
    .object({ prompt_tokens: z.number(), completion_tokens: z.number(), total_tokens: z.number() })
    .partial()
    .optional(),
});

const completionSchema = z.object({
  model: z.string(),
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          images: z.array(z.object({ image_url: z.object({ url: z.string() }) })).optional(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: output.shape.usage,
});

export const chatTool = (gateway: Gateway): Tool =>
  defineTool({
    name: 'chat',
    title: 'Chat with a model',
    description:
      'Sends messages to a language model and returns its answer. Costs what the model costs; list-models shows models and prices.',
    scope: 'mcp:tools',
    annotations: generating,
    modelsFrom: 'list-models',
    input,
    output,
    async call(request, context) {
      const completion = readAnswer(completionSchema, await gateway.chat(request, context));
      const { message, finish_reason: reason } = completion.choices[0]!;
      const text = message.content ?? '';
      const images = (message.images ?? []).flatMap(({ image_url: { url } }) => imageOfDataUrl(url) ?? []);
      const blocks: ContentBlock[] = text === '' && images.length > 0 ? [] : [{ type: 'text', text }];
      const { model, usage } = completion;
      return {
        content: [...blocks, ...images],
        structuredContent: { model, content: text, finish_reason: reason ?? 'stop', ...(usage && { usage }) },
      };
    },
  });
