import { z } from 'zod';

/** What an account keeps of its prompts and answers. */
export const contentLogSchema = z.strictObject({
  /** How long they are kept. */
  days: z.int().min(1).max(90),
  /** The most of one prompt, and of one answer, in bytes of UTF-8. */
  maxBytes: z
    .int()
    .min(1_024)
    .max(256 * 1_024),
});

export type ContentLogSetting = z.infer<typeof contentLogSchema>;

/** The same, as stored by a newer version. */
export const knownContentLogSchema = z.object(contentLogSchema.shape);

/** A text, the call of a tool, or a file, of which only size and type are kept. */
const contentPartSchema = z.object({
  /** Whose it is: `system`, `developer`, `user`, `assistant` or `tool`. Absent where requests have no roles. */
  role: z.string().optional(),
  kind: z.enum(['text', 'reasoning', 'tool_call', 'file']),
  /** The tool that is called. */
  name: z.string().optional(),
  /** Of a call, its arguments as JSON. */
  text: z.string().optional(),
  /** Of a file. */
  mediaType: z.string().optional(),
  bytes: z.int().min(0).optional(),
});

export type ContentPart = z.infer<typeof contentPartSchema>;

const contentTextSchema = z.object({
  parts: z.array(contentPartSchema),
  /** It was longer than the account keeps. */
  cut: z.boolean(),
});

export type ContentText = z.infer<typeof contentTextSchema>;

/** What a client sent and what it got, in one shape for all APIs, after the guardrails. */
export const keptTextsSchema = z.object({
  prompt: contentTextSchema,
  /** Absent if no provider answered. */
  answer: contentTextSchema.optional(),
});

export type KeptTexts = z.infer<typeof keptTextsSchema>;

/** The content of one request on its way to the database. `id` is that of the request's record. */
export const keptContentSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  content: keptTextsSchema,
});

export type KeptContent = z.infer<typeof keptContentSchema>;
