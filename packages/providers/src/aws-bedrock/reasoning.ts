import type { Offer } from '@tallyport/contracts';
import type { BedrockBlock, ChunkDelta } from '@tallyport/wire';
import type { AssistantMessage } from '../conversation/conversation.ts';
import { type Members, text } from '../read.ts';
import { thinkingDetails } from '../thinking-details.ts';
import { bedrockRules, signsThinking } from './models.ts';

const details = thinkingDetails('aws-bedrock-v1');

export interface ThoughtPlace {
  offer: Offer;
  /** Index of the block, as the vendor counts. */
  index: number;
}

/** A delta or a whole block of thinking: its text, and its signature for models that sign their thinking. */
export function thoughtDelta(thought: Members, { offer, index }: ThoughtPlace): ChunkDelta | undefined {
  const said = text(thought.text);
  const signature = text(thought.signature);
  const data = text(thought.redactedContent);
  const signed = signsThinking(bedrockRules(offer)) && (said !== undefined || signature !== undefined);
  const pieces = [
    ...(signed
      ? [details.text(index, { ...(said !== undefined && { text: said }), ...(signature && { signature }) })]
      : []),
    ...(data === undefined ? [] : [details.encrypted(index, data)]),
  ];
  if (said === undefined && pieces.length === 0) return undefined;
  return {
    ...(said !== undefined && { reasoning_content: said }),
    ...(pieces.length > 0 && { reasoning_details: pieces }),
  };
}

/** The thinking of an earlier turn in the form the vendor accepts back. */
export const reasoningBlocks = (message: AssistantMessage): BedrockBlock[] =>
  details
    .signedIn(message)
    .map((thought) =>
      thought.kind === 'encrypted'
        ? { reasoningContent: { redactedContent: thought.data } }
        : { reasoningContent: { reasoningText: { text: thought.text, signature: thought.signature } } },
    );
