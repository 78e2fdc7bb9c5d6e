import type { RerankCall } from '../spec/rerank-call.ts';

/** A member that only some vendors have. */
export type OwnMember = 'max_tokens_per_doc' | 'priority' | 'truncation';

/** The most that Cohere accepts. */
export const usualMostDocuments = 10_000;

/** The first member that this vendor lacks. Every vendor truncates unless it is asked not to. */
export function unsupportedBy(accepts: readonly OwnMember[] = [], call: RerankCall): string | undefined {
  const given: Readonly<Record<OwnMember, boolean>> = {
    max_tokens_per_doc: call.tokensPerDocument !== undefined,
    priority: call.priority !== undefined,
    truncation: call.truncation === false,
  };
  return (['max_tokens_per_doc', 'priority', 'truncation'] as const).find(
    (name) => given[name] && !accepts.includes(name),
  );
}
