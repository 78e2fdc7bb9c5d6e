import type { ContentPiece } from '@tallyport/serving';
import { z } from 'zod';
import { base64Piece } from './media-piece.ts';

const content = z.object({
  type: z.string(),
  text: z.string().optional(),
  mime_type: z.string().optional(),
  data: z.string().optional(),
});

const step = z.object({
  type: z.string(),
  content: z.array(content).nullish(),
  summary: z.array(content).nullish(),
  name: z.string().optional(),
  arguments: z.unknown().optional(),
});

/** What the vendor does not store may have no id. */
const answerSchema = z.object({ steps: z.array(step) });

const place = { index: z.number() };
const delta = content.extend({ content: content.optional(), arguments: z.string().optional() });

/** Each event that adds something. */
const eventSchema = z.discriminatedUnion('event_type', [
  z.object({ event_type: z.literal('step.start'), ...place, step }),
  z.object({ event_type: z.literal('step.delta'), ...place, delta }),
]);

/** The pieces of an interaction of Google's API, or of one of its events. */
export function interactionsAnswer(document: object): ContentPiece[] {
  const { data: answer } = answerSchema.safeParse(document);
  if (answer !== undefined) return answer.steps.flatMap((each, at) => stepPieces(each, String(at)));
  const { data: event } = eventSchema.safeParse(document);
  if (event === undefined) return [];
  const of = String(event.index);
  return event.event_type === 'step.start' ? beginning(event.step, of) : deltaPieces(event.delta, of);
}

function stepPieces({ type, name, arguments: input, content: said, summary }: z.infer<typeof step>, of: string) {
  if (type === 'function_call') return [callPiece(of, name, JSON.stringify(input ?? {}))];
  return [
    ...(summary ?? []).flatMap((each) => contentPieces(each, { of, kind: 'reasoning' })),
    ...(said ?? []).flatMap((each) => contentPieces(each, { of, kind: 'text' })),
  ];
}

/** The arguments of a call follow in its deltas, unless they are here. */
function beginning(begun: z.infer<typeof step>, of: string): ContentPiece[] {
  const { type, name, arguments: input } = begun;
  if (type !== 'function_call') return stepPieces(begun, of);
  const isEmpty = typeof input !== 'object' || input === null || Object.keys(input).length === 0;
  return [callPiece(of, name, isEmpty ? '' : JSON.stringify(input))];
}

const callPiece = (of: string, name: string | undefined, text: string): ContentPiece => ({
  of,
  kind: 'tool_call',
  name: name ?? '',
  text,
});

function deltaPieces(added: z.infer<typeof delta>, of: string): ContentPiece[] {
  if (added.type === 'arguments_delta') return [{ of, kind: 'text', text: added.arguments ?? '' }];
  if (added.type === 'thought_summary' && added.content) return contentPieces(added.content, { of, kind: 'reasoning' });
  return contentPieces(added, { of, kind: 'text' });
}

function contentPieces(
  { type, text, mime_type: mediaType, data }: z.infer<typeof content>,
  piece: { of: string; kind: 'reasoning' | 'text' },
): ContentPiece[] {
  if (type === 'text' && text !== undefined) return [{ ...piece, text }];
  return data === undefined || mediaType === undefined ? [] : [base64Piece(mediaType, data)];
}
