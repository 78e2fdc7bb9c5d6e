import type { Conversation } from './conversation.ts';

/**
 * The names of tools called in earlier turns. Vendors require their declaration even if the client no longer offers
 * them.
 */
export const calledTools = ({ turns }: Conversation): string[] => [
  ...new Set(turns.flatMap((turn) => (turn.role === 'assistant' ? turn.calls.map(({ name }) => name) : []))),
];
