import { randomUUID } from 'node:crypto';
import type { RequestHead } from '@switchyard/contracts';
import type { Plan } from '@switchyard/dispatch';
import { metadataOf, offerOf, type ServedRequest, servedModel } from '@switchyard/serving';
import { type ChatChunk, type ChatCompletion, type ChatRequest, encodeSse, type Usage } from '@switchyard/wire';

/** Who gets an answer that was made for somebody else. */
export interface ChatRecipient {
  head: RequestHead;
  request: ChatRequest;
  plan: Plan;
  planMs: number;
}

/**
 * A made answer as its receiver sees it: with an id of its own, since clients tell messages apart by it, saying that it
 * is cached, and costing nothing. Everything else is as it was.
 */
export interface Guise {
  readonly served: ServedRequest;
  completion(completion: ChatCompletion): ChatCompletion;
  /** `undefined`: this receiver does not get it. */
  event(chunk: ChatChunk): Buffer | undefined;
  /** At the end of a stream, for those who asked. */
  usageEvent(usage: Usage | undefined): Buffer | undefined;
}

export function guiseFor({ head, request, plan }: ChatRecipient, provider: string): Guise {
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
      const told = { ...chunk, ...own, ...(includeUsage && { usage: null }), ...(isFinish && { metadata }) };
      return encodeSse(JSON.stringify(told));
    },
    usageEvent(usage) {
      if (!includeUsage || usage === undefined) return undefined;
      const object = 'chat.completion.chunk' as const;
      return encodeSse(JSON.stringify({ ...own, object, created, choices: [], usage: unpaid(usage) }));
    },
  };
}

const unpaid = (usage: Usage): Usage => ({ ...usage, cost: 0 });
