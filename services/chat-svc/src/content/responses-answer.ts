import type { ContentPiece } from '@tallyport/serving';
import { z } from 'zod';
import { base64Piece } from './media-piece.ts';

const text = z.object({ text: z.string().optional(), refusal: z.string().optional() });

const item = z.object({
  type: z.string(),
  content: z.array(text).nullish(),
  summary: z.array(text).nullish(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  input: z.string().optional(),
  output_format: z.string().optional(),
  result: z.string().nullish(),
});

const answerSchema = z.object({ object: z.literal('response'), output: z.array(item) });

const place = { output_index: z.number() };

/** Each event that adds something; the others repeat it. */
const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('response.output_item.added'), ...place, item }),
  z.object({ type: z.literal('response.output_item.done'), ...place, item }),
  z.object({
    type: z.enum([
      'response.output_text.delta',
      'response.refusal.delta',
      'response.reasoning_text.delta',
      'response.reasoning_summary_text.delta',
      'response.function_call_arguments.delta',
      'response.custom_tool_call_input.delta',
    ]),
    ...place,
    delta: z.string(),
  }),
]);

/** The pieces of a response of OpenAI's Responses API, or of one of its events. */
export function responsesAnswer(document: object): ContentPiece[] {
  const { data: answer } = answerSchema.safeParse(document);
  if (answer !== undefined) return answer.output.flatMap((each, at) => itemPieces(each, String(at)));
  const { data: event } = eventSchema.safeParse(document);
  if (event === undefined) return [];
  const of = String(event.output_index);
  switch (event.type) {
    case 'response.output_item.added':
      return event.item.name === undefined ? [] : [{ of, kind: 'tool_call', name: event.item.name, text: '' }];
    case 'response.output_item.done':
      return imagePieces(event.item);
    default:
      return [{ of, kind: event.type.startsWith('response.reasoning') ? 'reasoning' : 'text', text: event.delta }];
  }
}

function itemPieces(each: z.infer<typeof item>, of: string): ContentPiece[] {
  const { type, name, arguments: json, input, content, summary } = each;
  if (name !== undefined) return [{ of, kind: 'tool_call', name, text: json ?? input ?? '' }];
  const kind = type === 'reasoning' ? 'reasoning' : 'text';
  return [
    ...[...(summary ?? []), ...(content ?? [])].map(({ text: written, refusal }) => ({
      of,
      kind: kind as ContentPiece['kind'],
      text: written ?? refusal ?? '',
    })),
    ...imagePieces(each),
  ];
}

const imagePieces = ({ type, result, output_format: format = 'png' }: z.infer<typeof item>): ContentPiece[] =>
  type === 'image_generation_call' && typeof result === 'string' ? [base64Piece(`image/${format}`, result)] : [];
