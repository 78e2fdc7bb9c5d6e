import type { ContentPiece } from '@tallyport/serving';
import { z } from 'zod';
import { urlPiece } from './media-piece.ts';

const call = z.object({ name: z.string().optional(), arguments: z.string().optional(), input: z.string().optional() });

const said = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z
    .array(z.object({ index: z.number().optional(), function: call.optional(), custom: call.optional() }))
    .nullish(),
  function_call: call.nullish(),
  images: z.array(z.object({ image_url: z.object({ url: z.string() }) })).nullish(),
  audio: z.object({ transcript: z.string().optional() }).nullish(),
});

const answerSchema = z.object({
  choices: z.array(z.object({ index: z.number(), message: said.optional(), delta: said.optional() })),
});

type Said = z.infer<typeof said>;

/** The pieces of a completion or of a chunk; `undefined` for anything else. */
export function chatAnswer(document: object): ContentPiece[] | undefined {
  const { data } = answerSchema.safeParse(document);
  return data?.choices.flatMap(({ index, message, delta }) => piecesOf(message ?? delta ?? {}, String(index)));
}

function piecesOf(message: Said, of: string): ContentPiece[] {
  const { content, refusal, reasoning_content: reasoning, tool_calls: calls, function_call: called } = message;
  const { images, audio } = message;
  return [
    ...(reasoning ? [{ of: `${of} reasoning`, kind: 'reasoning' as const, text: reasoning }] : []),
    ...(content ? [{ of: `${of} content`, kind: 'text' as const, text: content }] : []),
    ...(refusal ? [{ of: `${of} refusal`, kind: 'text' as const, text: refusal }] : []),
    ...(audio?.transcript ? [{ of: `${of} audio`, kind: 'text' as const, text: audio.transcript }] : []),
    ...(calls ?? []).map(({ index, ...each }, at) =>
      callPiece(each.function ?? each.custom ?? {}, `${of} call ${index ?? at}`),
    ),
    ...(called ? [callPiece(called, `${of} call`)] : []),
    ...(images ?? []).map(({ image_url: image }) => urlPiece(image.url)),
  ];
}

const callPiece = ({ name, arguments: text, input }: z.infer<typeof call>, of: string): ContentPiece => ({
  of,
  kind: 'tool_call',
  ...(name !== undefined && { name }),
  text: text ?? input ?? '',
});
