import type { Offer } from '@switchyard/contracts';
import type { BedrockBlock, ChunkDelta } from '@switchyard/wire';
import type { AssistantMessage } from '../conversation/conversation.ts';
import { isMembers, list, type Members, members, text } from '../read.ts';
import { rulesOf, signsThinking } from './models.ts';

/** Marks details of this vendor's answers among those of others: a signature is worth something only where it was made. */
const format = 'aws-bedrock-v1';

/** A piece of thinking as clients keep it in `reasoning_details`. Pieces of one index belong together. */
const textDetail = (index: number, said: { text?: string; signature?: string }) => ({
  type: 'reasoning.text',
  ...said,
  format,
  index,
});

const encryptedDetail = (index: number, data: string) => ({ type: 'reasoning.encrypted', data, format, index });

export interface ThoughtPlace {
  offer: Offer;
  /** Of the block, as the vendor counts. */
  index: number;
}

/** A piece of thinking, or a whole block of it: what is said of it, and what proves it to the models that ask for proof. */
export function thoughtDelta(thought: Members, { offer, index }: ThoughtPlace): ChunkDelta | undefined {
  const said = text(thought.text);
  const signature = text(thought.signature);
  const data = text(thought.redactedContent);
  const signed = signsThinking(rulesOf(offer)) && (said !== undefined || signature !== undefined);
  const details = [
    ...(signed
      ? [textDetail(index, { ...(said !== undefined && { text: said }), ...(signature && { signature }) })]
      : []),
    ...(data === undefined ? [] : [encryptedDetail(index, data)]),
  ];
  if (said === undefined && details.length === 0) return undefined;
  return {
    ...(said !== undefined && { reasoning_content: said }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

/** The thinking of an earlier turn, in its order. Without what proves it the vendor refuses it. */
export function reasoningBlocks(message: AssistantMessage): BedrockBlock[] {
  return list(message.reasoning_details)
    .filter((detail) => isMembers(detail) && detail.format === format)
    .flatMap((detail): BedrockBlock[] => {
      const { type, data, text: thought, signature } = members(detail);
      const sealed = text(type === 'reasoning.encrypted' ? data : signature);
      if (sealed === undefined) return [];
      if (type === 'reasoning.encrypted') return [{ reasoningContent: { redactedContent: sealed } }];
      return [{ reasoningContent: { reasoningText: { text: text(thought) ?? '', signature: sealed } } }];
    });
}
