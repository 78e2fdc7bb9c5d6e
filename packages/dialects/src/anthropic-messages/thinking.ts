import type { ChatRequest } from '@tallyport/wire';
import type { MessagesBody } from './request-schema.ts';

/** How much the model is to think. Without any of the members, that is left to the model. */
export function toReasoning({ thinking, output_config }: MessagesBody): Pick<ChatRequest, 'reasoning'> {
  const effort = output_config?.effort ?? undefined;
  switch (thinking?.type) {
    case undefined:
      return effort === undefined ? {} : { reasoning: { effort } };
    case 'enabled':
      return { reasoning: { ...(effort && { effort }), max_tokens: thinking.budget_tokens } };
    case 'adaptive':
      // What the vendor documents for a request that states no effort.
      return { reasoning: { effort: effort ?? 'high' } };
    case 'disabled':
      return { reasoning: { effort: 'none' } };
    default:
      return thinking satisfies never;
  }
}
