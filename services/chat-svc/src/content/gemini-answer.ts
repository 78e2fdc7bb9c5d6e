import type { ContentPiece } from '@tallyport/serving';
import { z } from 'zod';
import { base64Piece } from './media-piece.ts';

const part = z.object({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z.object({ name: z.string(), args: z.unknown().optional() }).optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
});

const answerSchema = z.object({
  candidates: z.array(
    z.object({
      index: z.number().default(0),
      content: z.object({ parts: z.array(part).default([]) }).optional(),
    }),
  ),
});

/** The pieces of a response of Google's API, or of one event of it, which has the same form. */
export function geminiAnswer(document: object): ContentPiece[] {
  const { data } = answerSchema.safeParse(document);
  return (data?.candidates ?? []).flatMap(({ index, content }) =>
    (content?.parts ?? []).flatMap((each) => partPieces(each, String(index))),
  );
}

function partPieces({ text, thought, functionCall, inlineData }: z.infer<typeof part>, of: string): ContentPiece[] {
  if (functionCall !== undefined) {
    const { name, args } = functionCall;
    return [{ kind: 'tool_call', name, text: JSON.stringify(args ?? {}) }];
  }
  if (inlineData !== undefined) return [base64Piece(inlineData.mimeType, inlineData.data)];
  if (text === undefined) return [];
  return [thought === true ? { of: `${of} thought`, kind: 'reasoning', text } : { of, kind: 'text', text }];
}
