import type { ChatMessage } from '@tallyport/wire';
import { orderOf, type SaidPart } from '../content-order.ts';
import type { PartBody } from './content-schema.ts';
import type { PendingCalls } from './pending-calls.ts';
import type { PlacedPart } from './placed-part.ts';
import { refuseMember } from '../refuse-member.ts';
import { standardBase64 } from '../standard-base64.ts';
import { sealedDetailsOf, toSignatureDetails, toSignedExtra } from './signatures.ts';

/** An earlier answer of the model; nothing where it said nothing. */
export function toAssistantMessages(placed: readonly PlacedPart[], calls: PendingCalls): ChatMessage[] {
  for (const { part, path } of placed) refuseForeign(part, path);
  const parts = placed.map(({ part }) => part);
  const content = textOf(parts, false);
  const thought = textOf(parts, true);
  const images = parts.flatMap(imageOf);
  const made = parts.flatMap((part) => callOf(part, calls));
  // The signatures of calls and images are beside them.
  const signatures = parts.filter(({ functionCall, inlineData }) => !functionCall && !inlineData);
  const details = [
    ...toSignatureDetails(signatures.map(({ thoughtSignature }) => thoughtSignature)),
    ...placed.flatMap(({ part, path }) => sealedDetailsOf(part.thoughtSignature, `${path}.thoughtSignature`)),
  ];
  if (content === '' && thought === '' && images.length + made.length + details.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: content === '' && made.length > 0 ? null : content,
      ...(thought !== '' && { reasoning_content: thought }),
      ...(details.length > 0 && { reasoning_details: details }),
      ...(images.length > 0 && { images }),
      ...(made.length > 0 && { tool_calls: made }),
      ...orderOf(parts.flatMap(saidIn)),
    },
  ];
}

function refuseForeign({ functionResponse, fileData }: PartBody, path: string): void {
  if (functionResponse) refuseMember(`${path}.functionResponse`, 'is only allowed in contents of the role user');
  if (fileData) refuseMember(`${path}.fileData`, 'is only allowed in contents of the role user');
}

const textOf = (parts: readonly PartBody[], thought: boolean): string =>
  parts
    .filter((part) => (part.thought === true) === thought)
    .map(({ text }) => text ?? '')
    .join('');

function saidIn({ text, thought, functionCall }: PartBody): SaidPart[] {
  if (functionCall) return ['call'];
  return thought === true ? [] : [text?.length ?? 0];
}

function imageOf({ inlineData, thoughtSignature, thought }: PartBody) {
  if (!inlineData || thought === true) return [];
  const url = `data:${inlineData.mimeType};base64,${standardBase64(inlineData.data)}`;
  return [{ type: 'image_url' as const, image_url: { url }, ...toSignedExtra(thoughtSignature) }];
}

function callOf({ functionCall, thoughtSignature }: PartBody, calls: PendingCalls) {
  if (!functionCall) return [];
  const { name, args } = functionCall;
  return [
    {
      id: calls.add(functionCall),
      type: 'function' as const,
      function: { name, arguments: JSON.stringify(args ?? {}) },
      ...toSignedExtra(thoughtSignature),
    },
  ];
}
