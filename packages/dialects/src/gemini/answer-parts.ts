import type { AnswerImage, FunctionToolCall } from '@tallyport/wire';
import type { GeminiAnswerPart } from './answer-types.ts';
import { signatureOfExtra, signaturesOfDetails, toSealedSignature } from './signatures.ts';
import { objectIn } from '../plain-object.ts';

/** What an answer says as it arrives. */
interface SaidMembers {
  content?: string | null;
  reasoning_content?: string;
  images?: AnswerImage[];
}

export function saidParts({ content, reasoning_content: thought, images }: SaidMembers): GeminiAnswerPart[] {
  return [
    ...(thought ? [{ text: thought, thought: true as const }] : []),
    ...(content ? [{ text: content }] : []),
    ...(images ?? []).flatMap(imagePart),
  ];
}

/** The signatures of the text, each in a part of its own as at the end of the vendor's streams. */
export const signatureParts = (details: readonly unknown[]): GeminiAnswerPart[] =>
  signaturesOfDetails(details).map((thoughtSignature) => ({ text: '', thoughtSignature }));

/** The first call with other vendors' signed thinking, if it has no signature of its own. */
export function withSealed(call: GeminiAnswerPart, details: unknown): GeminiAnswerPart {
  const sealed = call.thoughtSignature === undefined ? toSealedSignature(details) : undefined;
  return sealed === undefined ? call : { ...call, thoughtSignature: sealed };
}

const dataUrl = /^data:([^;,]+);base64,/;

function imagePart({ image_url: { url }, ...image }: AnswerImage): GeminiAnswerPart[] {
  const head = dataUrl.exec(url);
  if (head === null) return [];
  const [start, mimeType = ''] = head;
  return [{ inlineData: { mimeType, data: url.slice(start.length) }, ...signatureOfExtra(image) }];
}

/** `undefined` if the arguments are no JSON object. */
export function callPart({
  id,
  function: { name, arguments: sent },
  ...call
}: FunctionToolCall): GeminiAnswerPart | undefined {
  const args = objectIn(sent);
  return args && { functionCall: { id, name, args }, ...signatureOfExtra(call) };
}
