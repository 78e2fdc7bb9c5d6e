import type { ContentPiece } from '@tallyport/serving';
import { z } from 'zod';

const block = z.object({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
});

const answerSchema = z.object({ type: z.literal('message'), content: z.array(block) });

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('content_block_start'), index: z.number(), content_block: block }),
  z.object({
    type: z.literal('content_block_delta'),
    index: z.number(),
    delta: z.object({
      text: z.string().optional(),
      thinking: z.string().optional(),
      partial_json: z.string().optional(),
    }),
  }),
]);

/** The pieces of a response of Anthropic's API, or of one of its events. */
export function messagesAnswer(document: object): ContentPiece[] {
  const { data: answer } = answerSchema.safeParse(document);
  if (answer !== undefined) {
    return answer.content.flatMap((each, at) =>
      blockPiece(each, { of: String(at), input: each.input === undefined ? '' : JSON.stringify(each.input) }),
    );
  }
  const { data: event } = eventSchema.safeParse(document);
  if (event === undefined) return [];
  const of = String(event.index);
  if (event.type === 'content_block_start') return blockPiece(event.content_block, { of, input: '' });
  const { text, thinking, partial_json: json } = event.delta;
  const added = text ?? thinking ?? json;
  return added === undefined ? [] : [{ of, kind: thinking === undefined ? 'text' : 'reasoning', text: added }];
}

/** Blocks of other types are results of the vendor's own tools. */
function blockPiece(
  { type, text, thinking, name }: z.infer<typeof block>,
  { of, input }: { of: string; input: string },
): ContentPiece[] {
  if (text !== undefined) return [{ of, kind: 'text', text }];
  if (thinking !== undefined) return [{ of, kind: 'reasoning', text: thinking }];
  return type.endsWith('tool_use') ? [{ of, kind: 'tool_call', name: name ?? '', text: input }] : [];
}
