import { z } from 'zod';
import { isPlainObject } from '../plain-object.ts';

/** An object that is not looked into. */
export const openObject = z.custom<Record<string, unknown>>(isPlainObject, 'must be an object');

/** Members that are refused unless they are absent, null or an empty list. */
export const absent = (why: string) =>
  z
    .custom<undefined>((value) => value == null || (Array.isArray(value) && value.length === 0), unsupported(why))
    .optional();

/** The only value that is supported of a member that has others at its vendor. */
export const onlyValue = <Value extends string>(only: Value, why: string) =>
  z.custom<Value>((value) => value === only, unsupported(why));

const unsupported = (why: string) => ({ error: why, params: { unsupported: true } });

export const cacheControl = z
  .looseObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).nullish() })
  .nullish();

// Citations in what a client sends back are notes on a text, and its own: they do not change what the text says.
const textBlock = z.looseObject({ type: z.literal('text'), text: z.string(), cache_control: cacheControl });

const noCitations = z
  .looseObject({
    enabled: z.literal(false, 'citations are not available here: chat completions cannot express them').nullish(),
  })
  .nullish();

/** Says of a type that is not among the known ones why it is refused. */
export const typeError =
  (known: readonly string[]) =>
  ({ input }: { input?: unknown }): string => {
    const type = typeof input === 'object' && input !== null && 'type' in input ? input.type : undefined;
    const name =
      typeof type === 'string' && type.length < 60 && !known.includes(type) ? `${type} is not supported; ` : '';
    return `${name}must be one of ${known.join(', ')}`;
  };

/** A client names files by their ids at a vendor, in an account that is not its own. */
const sourceError =
  (known: readonly string[]) =>
  (issue: { input?: unknown }): string => {
    const problem = typeError(known)(issue);
    return problem.startsWith('file is') ? `${problem}: the gateway keeps no files, so send the content` : problem;
  };

const image = z.looseObject({
  type: z.literal('image'),
  source: z.discriminatedUnion(
    'type',
    [
      z.looseObject({
        type: z.literal('base64'),
        media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
        data: z.string().min(1),
      }),
      z.looseObject({ type: z.literal('url'), url: z.string().min(1) }),
    ],
    { error: sourceError(['base64', 'url']) },
  ),
  transformations: z
    .looseObject({ oversized_image: z.literal('downsize', 'only downsize is supported').nullish() })
    .nullish(),
  cache_control: cacheControl,
});

const documentContent = z.union(
  [z.string(), z.array(z.discriminatedUnion('type', [textBlock, image], { error: typeError(['text', 'image']) }))],
  { error: 'must be a string or an array of text and image blocks' },
);

const document = z.looseObject({
  type: z.literal('document'),
  source: z.discriminatedUnion(
    'type',
    [
      z.looseObject({
        type: z.literal('base64'),
        media_type: z.literal('application/pdf', 'must be application/pdf'),
        data: z.string().min(1),
      }),
      z.looseObject({ type: z.literal('text'), data: z.string() }),
      z.looseObject({ type: z.literal('content'), content: documentContent }),
      z.looseObject({ type: z.literal('url'), url: z.string().min(1) }),
    ],
    { error: sourceError(['base64', 'text', 'content', 'url']) },
  ),
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: noCitations,
  cache_control: cacheControl,
});

const searchResult = z.looseObject({
  type: z.literal('search_result'),
  source: z.string(),
  title: z.string(),
  content: z.array(textBlock),
  citations: noCitations,
  cache_control: cacheControl,
});

const toolReference = z.looseObject({ type: z.literal('tool_reference'), tool_name: z.string() });

/** What belongs to a set of tools that the vendor defines, or to code that it runs. */
const ownTools = {
  toolset_name: absent('toolsets are not supported'),
  caller: z.looseObject({ type: z.literal('direct', 'must be direct') }).nullish(),
};

const resultKinds = ['text', 'image', 'document', 'search_result', 'tool_reference'];
const resultBlock = z.discriminatedUnion('type', [textBlock, image, document, searchResult, toolReference], {
  error: typeError(resultKinds),
});

const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1),
  content: z
    .union([z.string(), z.array(resultBlock)], {
      error: `must be a string or an array of blocks (${resultKinds.join(', ')})`,
    })
    .nullish(),
  is_error: z.boolean().nullish(),
  toolset_name: ownTools.toolset_name,
  cache_control: cacheControl,
});

const toolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().min(1),
  name: z.string().min(1),
  input: openObject,
  ...ownTools,
});

const thinking = z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });
const redactedThinking = z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() });

/** Blocks of the vendor's own tools are refused by their type: only the vendor can read them again. */
export const userBlock = z.discriminatedUnion('type', [textBlock, image, document, searchResult, toolResult], {
  error: typeError(['text', 'image', 'document', 'search_result', 'tool_result']),
});
export const assistantBlock = z.discriminatedUnion('type', [textBlock, thinking, redactedThinking, toolUse], {
  error: typeError(['text', 'thinking', 'redacted_thinking', 'tool_use']),
});
export const systemBlock = z.discriminatedUnion('type', [textBlock], { error: typeError(['text']) });

export type TextBlock = z.infer<typeof textBlock>;
export type ImageSourceBlock = z.infer<typeof image>;
export type DocumentBlock = z.infer<typeof document>;
export type SearchResultBlock = z.infer<typeof searchResult>;
export type ToolResultBlock = z.infer<typeof toolResult>;
export type ToolResultPart = z.infer<typeof resultBlock>;
export type UserBlock = z.infer<typeof userBlock>;
export type AssistantBlock = z.infer<typeof assistantBlock>;
export type BlockCacheControl = z.infer<typeof cacheControl>;
