import { type AnswerImage, type ChunkDelta, imageTypeOfBase64 } from '@tallyport/wire';
import { dataUrl } from '../conversation/data-url.ts';
import type { OneChoiceContext } from '../one-choice.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';
import { createAnswerCalls } from './answer-calls.ts';
import { signatureDetail, signatureExtra } from './signatures.ts';

/** Translates the parts of one answer as they arrive. */
interface AnswerParts {
  /** The deltas for the parts of one candidate. */
  read(content: unknown): ChunkDelta[];
  called(): boolean;
  /** Whether a call was started whose arguments are incomplete. */
  unfinished(): boolean;
  hasContent(): boolean;
  /** The text so far, because citations count its bytes. */
  text(): string;
}

export function createAnswerParts(context: OneChoiceContext): AnswerParts {
  const calls = createAnswerCalls(context);
  const counts = { images: 0, signatures: 0 };
  const said: string[] = [];
  let hasContent = false;

  function read(part: Members): ChunkDelta[] {
    const delta = deltaOf(part);
    const signature = text(part.thoughtSignature);
    hasContent ||= delta !== undefined;
    if (signature === undefined || isMembers(part.functionCall) || isMembers(part.inlineData))
      return delta ? [delta] : [];
    counts.signatures += 1;
    const details = { reasoning_details: [signatureDetail(signature, counts.signatures - 1)] };
    return delta === undefined ? [details] : [delta, details];
  }

  function deltaOf(part: Members): ChunkDelta | undefined {
    if (isMembers(part.functionCall)) return calls.read(part.functionCall, text(part.thoughtSignature));
    if (isMembers(part.inlineData)) return part.thought === true ? undefined : image(part.inlineData, part);
    const words = text(part.text);
    if (words === undefined) return undefined;
    if (part.thought === true) return { reasoning_content: words };
    said.push(words);
    return { content: words };
  }

  function image({ mimeType, data }: Members, part: Members): ChunkDelta | undefined {
    const bytes = text(data);
    const mediaType = imageTypeOfBase64(bytes ?? '') ?? text(mimeType) ?? '';
    if (bytes === undefined || !mediaType.startsWith('image/')) return undefined;
    counts.images += 1;
    const made: AnswerImage = {
      type: 'image_url',
      image_url: { url: dataUrl({ mediaType, data: bytes }) },
      index: counts.images - 1,
      ...signatureExtra(text(part.thoughtSignature)),
    };
    return { images: [made] };
  }

  return {
    read: (content) => items(members(content).parts).filter(isMembers).flatMap(read),
    called: calls.called,
    unfinished: calls.unfinished,
    hasContent: () => hasContent,
    text: () => said.join(''),
  };
}
