import { randomUUID } from 'node:crypto';
import type { RequestHead } from '@switchyard/contracts';
import type { Plan } from '@switchyard/dispatch';
import { metadataOf, offerOf, type ServedRequest, servedModel } from '@switchyard/serving';
import { type ChatChunk, type ChatCompletion, type ChatRequest, encodeSse, type Usage } from '@switchyard/wire';

/** A request that is answered with another request's answer. */
export interface ChatRecipient {
  head: RequestHead;
  request: ChatRequest;
  plan: Plan;
  planMs: number;
}

/**
 * A shared answer as its recipient sees it: with an id of its own, since clients tell messages apart by it, marked as
 * cached, and at no cost. Everything else is unchanged.
 */
export interface RecipientView {
  readonly served: ServedRequest;
  completion(completion: ChatCompletion): ChatCompletion;
  /** `undefined` where the recipient does not get this chunk. */
  event(chunk: ChatChunk): Buffer | undefined;
  /** Ends a stream whose client asked for its usage. */
  usageEvent(usage: Usage | undefined): Buffer | undefined;
}

export function viewFor({ head, request, plan }: ChatRecipient, provider: string): RecipientView {
  const served = { head, plan, offer: offerOf(plan, provider) };
  const own = { id: `chatcmpl-${randomUUID().replaceAll('-', '')}`, model: servedModel(served) };
  const metadata = { ...metadataOf(served, []), cached: true };
  const includeUsage = request.stream_options?.include_usage === true;
  let created = 0;
  return {
    served,
    completion: ({ usage, ...completion }) => ({
      ...completion,
      ...own,
      ...(usage && { usage: unpaid(usage) }),
      metadata,
    }),
    event({ usage: _usage, metadata: _metadata, ...chunk }) {
      created = chunk.created;
      if (chunk.choices.length === 0) return undefined;
      const isFinish = chunk.choices.some(({ finish_reason: reason }) => reason !== null);
      const shown = { ...chunk, ...own, ...(includeUsage && { usage: null }), ...(isFinish && { metadata }) };
      return encodeSse(JSON.stringify(shown));
    },
    usageEvent(usage) {
      if (!includeUsage || usage === undefined) return undefined;
      const object = 'chat.completion.chunk' as const;
      return encodeSse(JSON.stringify({ ...own, object, created, choices: [], usage: unpaid(usage) }));
    },
  };
}

const unpaid = (usage: Usage): Usage => ({ ...usage, cost: 0 });
