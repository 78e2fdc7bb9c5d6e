import type { AnswerImage, FunctionToolCall, ToolCall } from '@tallyport/wire';
import type { GeminiAnswerPart } from './answer-types.ts';
import { signatureOfExtra, signaturesOfDetails, toSealedSignature } from './signatures.ts';
import { parsedObject } from '../plain-object.ts';

/** What an answer says as it arrives. */
export interface SaidMembers {
  content?: string | null;
  reasoning_content?: string;
  images?: AnswerImage[];
}

/** What is known of an answer only at its end. */
export interface LastMembers {
  reasoning_details?: unknown;
  tool_calls?: readonly ToolCall[] | undefined;
}

export function saidParts({ content, reasoning_content: thought, images }: SaidMembers): GeminiAnswerPart[] {
  return [
    ...(thought ? [{ text: thought, thought: true as const }] : []),
    ...(content ? [{ text: content }] : []),
    ...(images ?? []).flatMap(imagePart),
  ];
}

/** The signatures of the text, each in a part of its own as at the end of the vendor's streams, and the calls. */
export function lastParts({ reasoning_details: details, tool_calls: calls }: LastMembers): GeminiAnswerPart[] {
  const [first, ...further] = (calls ?? []).filter((call) => call.type === 'function').map(callPart);
  return [
    ...signaturesOfDetails(details).map((thoughtSignature) => ({ text: '', thoughtSignature })),
    ...(first === undefined ? [] : [withSealed(first, details), ...further]),
  ];
}

function withSealed(call: GeminiAnswerPart, details: unknown): GeminiAnswerPart {
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

const callPart = ({ id, function: { name, arguments: sent }, ...call }: FunctionToolCall): GeminiAnswerPart => ({
  functionCall: { id, name, args: parsedObject(sent) },
  ...signatureOfExtra(call),
});
