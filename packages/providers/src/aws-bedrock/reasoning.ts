import type { Offer } from '@tallyport/contracts';
import type { BedrockBlock, ChunkDelta } from '@tallyport/wire';
import { claudeDetails } from '../anthropic/details.ts';
import { thoughtRules } from '../anthropic/kept-thoughts.ts';
import type { AssistantMessage } from '../conversation/conversation.ts';
import { asksForThinking } from '../conversation/requested-thinking.ts';
import { type Members, text } from '../read.ts';
import { thinkingDetails } from '../thinking-details.ts';
import { bedrockRules, signsThinking } from './models.ts';

/**
 * Encrypted thinking has a form of its own here. Signatures are valid at every host of Claude, so their details have
 * Anthropic's format.
 */
const details = thinkingDetails('aws-bedrock-v1');

interface ThoughtPlace {
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
      ? [claudeDetails.text(index, { ...(said !== undefined && { text: said }), ...(signature && { signature }) })]
      : []),
    ...(data === undefined ? [] : [details.encrypted(index, data)]),
  ];
  if (said === undefined && pieces.length === 0) return undefined;
  return {
    ...(said !== undefined && { reasoning_content: said }),
    ...(pieces.length > 0 && { reasoning_details: pieces }),
  };
}

export const bedrockThoughts = thoughtRules((request, offer) => {
  const rules = bedrockRules(offer);
  return signsThinking(rules) && (asksForThinking(request) || rules.thinking === 'adaptive-always');
});

/** The thinking of an earlier turn in the form the vendor accepts back. */
export const reasoningBlocks = (message: AssistantMessage): BedrockBlock[] =>
  details
    .signedIn(message, (detail) => claudeDetails.has(detail) && detail.type === 'reasoning.text')
    .map((thought) =>
      thought.kind === 'encrypted'
        ? { reasoningContent: { redactedContent: thought.data } }
        : { reasoningContent: { reasoningText: { text: thought.text, signature: thought.signature } } },
    );
