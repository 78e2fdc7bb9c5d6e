interface SentResponse {
  id?: string | null | undefined;
  name: string;
  response?: unknown;
}

/** The calls of a conversation that have no response yet. Ids are optional in this API and required in a chat. */
export interface PendingCalls {
  /** The id of a call: its own, or a new one that is the same whenever the conversation is sent again. */
  add(call: { id?: string | null | undefined; name: string }): string;
  /** The id of the call that a response belongs to: by id, else the first of its name. */
  take(response: SentResponse): string | undefined;
  /** Whether the call with this id has the same response already. */
  isRepeated(response: SentResponse): boolean;
}

export function createPendingCalls(): PendingCalls {
  const names = new Map<string, string>();
  const idsOf = new Map<string, Set<string>>();
  const answered = new Map<string, string>();
  let count = 0;

  return {
    add({ id: given, name }) {
      const id = given ? given : `call_${count}`;
      count += 1;
      // Some clients use an id again in a later turn.
      answered.delete(id);
      names.set(id, name);
      idsOf.set(name, (idsOf.get(name) ?? new Set()).add(id));
      return id;
    },
    take({ id: given, name, response }) {
      const id = given && names.has(given) ? given : idsOf.get(name)?.values().next().value;
      if (id === undefined) return undefined;
      idsOf.get(names.get(id) ?? name)?.delete(id);
      names.delete(id);
      answered.set(id, JSON.stringify(response ?? {}));
      return id;
    },
    isRepeated: ({ id, response }) => Boolean(id) && answered.get(id ?? '') === JSON.stringify(response ?? {}),
  };
}
