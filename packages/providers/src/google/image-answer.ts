import type { GatewayError } from '@tallyport/contracts';
import type { ImagesUsage } from '@tallyport/wire';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import type { ImagePart } from '../spec/image-provider.ts';
import { named } from '../images/entry.ts';
import { refusedImage, type ImagesInAnswer } from '../images/result.ts';
import { imagesUsage, splitTokens } from '../images/usage.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';
import { geminiFinishReason } from './finish-reason.ts';
import { signatureExtra } from './signatures.ts';
import { geminiUsage } from './usage.ts';

/** The images and text of an answer. Drafts, which the model makes while thinking, are left out. */
export function imagesInBody(body: Members, providerId: string): ImagesInAnswer {
  const [candidate] = items(body.candidates).map(members);
  const parts = items(members(candidate?.content).parts)
    .filter(isMembers)
    .filter(({ thought }) => thought !== true);
  const images = parts.flatMap((part) => imageIn(part) ?? []);
  const words = text(parts.map((part) => text(part.text) ?? '').join(''));
  const failure = images.length === 0 ? failureIn(body, candidate, providerId) : undefined;
  return {
    kind: 'made',
    images,
    failures: failure === undefined ? [] : [failure],
    ...named('text', words),
    ...named('usage', usageIn(members(body.usageMetadata))),
  };
}

function imageIn({ inlineData, thoughtSignature }: Members): ImagePart | undefined {
  const { mimeType, data } = members(inlineData);
  const base64 = text(data);
  if (base64 === undefined) return undefined;
  const { extra_content: extraContent } = signatureExtra(text(thoughtSignature));
  return { source: { base64, ...named('mediaType', text(mimeType)) }, ...named('extraContent', extraContent) };
}

/** The reason for a missing image, if the vendor gives one: a blocked prompt, a blocked result, or a failed model. */
function failureIn(body: Members, candidate: Members | undefined, providerId: string): GatewayError | undefined {
  const { blockReason, blockReasonMessage } = members(body.promptFeedback);
  const blocked = text(blockReason);
  if (blocked !== undefined) return refusedImage(providerId, text(blockReasonMessage) ?? blocked);
  const reason = text(candidate?.finishReason);
  if (reason === undefined || reason === 'STOP') return undefined;
  const message = text(candidate?.finishMessage) ?? reason;
  const refused =
    reason === 'NO_IMAGE' || geminiFinishReason(reason, { calls: false, anything: true }) === 'content_filter';
  if (refused) return refusedImage(providerId, message);
  return unreadableAnswer(providerId, `The answer ended with ${reason} and has no image: ${message}`);
}

function usageIn(raw: Members): ImagesUsage | undefined {
  const usage = geminiUsage(raw);
  if (usage === undefined) return undefined;
  const { prompt_tokens: input, completion_tokens: output } = usage;
  return imagesUsage({
    input,
    output,
    inputDetails: splitTokens(input, usage.prompt_tokens_details?.image_tokens),
    outputDetails: splitTokens(output, usage.completion_tokens_details?.image_tokens),
  });
}
