import type { AnswerImage, ChunkDelta } from '@switchyard/wire';
import { dataUrl, imageTypeOfBase64 } from '../conversation/data-url.ts';
import { madeUpCallId } from '../made-up-call-id.ts';
import type { OneChoiceContext } from '../one-choice.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';
import { signatureDetail, signatureExtra } from './signatures.ts';

/** The parts of one answer as they come. */
export interface AnswerParts {
  /** What the parts of one candidate say, each on its own. */
  read(content: unknown): ChunkDelta[];
  called(): boolean;
  anything(): boolean;
  /** The text so far: citations count its bytes. */
  text(): string;
}

export function createAnswerParts({ completionId, keepSignature }: OneChoiceContext): AnswerParts {
  const ids = new Set<string>();
  const counts = { images: 0, signatures: 0 };
  const said: string[] = [];
  let anything = false;

  function read(part: Members): ChunkDelta[] {
    const delta = deltaOf(part);
    const signature = text(part.thoughtSignature);
    anything ||= delta !== undefined;
    if (signature === undefined || isMembers(part.functionCall) || isMembers(part.inlineData))
      return delta ? [delta] : [];
    counts.signatures += 1;
    const details = { reasoning_details: [signatureDetail(signature, counts.signatures - 1)] };
    return delta === undefined ? [details] : [delta, details];
  }

  function deltaOf(part: Members): ChunkDelta | undefined {
    if (isMembers(part.functionCall)) return call(part.functionCall, text(part.thoughtSignature));
    if (isMembers(part.inlineData)) return part.thought === true ? undefined : image(part.inlineData, part);
    const words = text(part.text);
    if (words === undefined) return undefined;
    if (part.thought === true) return { reasoning_content: words };
    said.push(words);
    return { content: words };
  }

  function call({ id: given, name, args }: Members, signature: string | undefined): ChunkDelta | undefined {
    const called = text(name);
    // An empty one closes a call that came in pieces.
    if (called === undefined) return undefined;
    const index = ids.size;
    const own = text(given);
    const id = own === undefined || ids.has(own) ? madeUpCallId(completionId, index) : own;
    ids.add(id);
    if (signature !== undefined) keepSignature?.(id, signature);
    const input = JSON.stringify(members(args));
    return {
      tool_calls: [
        { index, id, type: 'function', function: { name: called, arguments: input }, ...signatureExtra(signature) },
      ],
    };
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
    called: () => ids.size > 0,
    anything: () => anything,
    text: () => said.join(''),
  };
}
