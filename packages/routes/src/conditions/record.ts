import type { RouteFacts } from '../facts.ts';

/** A condition sees this many names of tools at most, so that its cost is bounded. OpenAI's API takes no more. */
export const mostTools = 128;

/** No text in a condition is longer. */
const longestText = 500;

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/**
 * The record of conditions. Its members are computed when a condition reads them, and integers are of CEL's type. CEL
 * finds the type of a value by its class.
 */
class RequestMember {
  readonly #facts: RouteFacts['request'];
  #tokens: bigint | undefined;
  #modalities: readonly string[] | undefined;
  #tools: readonly string[] | undefined;
  #headers: ReadonlyMap<string, string> | undefined;

  constructor(facts: RouteFacts['request']) {
    this.#facts = facts;
  }

  get tokens(): bigint {
    this.#tokens ??= BigInt(Math.ceil(this.#facts.tokens()));
    return this.#tokens;
  }

  get modalities(): readonly string[] {
    this.#modalities ??= this.#facts.modalities();
    return this.#modalities;
  }

  get tools(): readonly string[] {
    this.#tools ??= this.#facts.tools().slice(0, mostTools).map(bounded);
    return this.#tools;
  }

  get structured_output(): boolean {
    return this.#facts.structuredOutput;
  }

  get stream(): boolean {
    return this.#facts.stream;
  }

  get headers(): ReadonlyMap<string, string> {
    this.#headers ??= new Map([...this.#facts.headers()].map(([name, value]) => [name, bounded(value)]));
    return this.#headers;
  }

  get end_user(): string {
    return bounded(this.#facts.endUser);
  }

  get api(): string {
    return this.#facts.api;
  }
}

const bounded = (text: string): string => text.slice(0, longestText);

abstract class Named {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

class KeyMember extends Named {}
class ProjectMember extends Named {}
class AccountMember extends Named {
  readonly tags: readonly string[];

  constructor(id: string, tags: readonly string[]) {
    super(id);
    this.tags = tags;
  }
}

class BudgetMember {
  readonly left: number;

  constructor(left: number) {
    this.left = left;
  }
}

class TimeMember {
  readonly #now: Date;

  constructor(now: Date) {
    this.#now = now;
  }

  get hour(): bigint {
    return BigInt(this.#now.getUTCHours());
  }

  get weekday(): string {
    return weekdays[this.#now.getUTCDay()] ?? '';
  }
}

/** The members of the record, and what conditions may ask of each: the names and the types of CEL. */
export const recordMembers = {
  request: {
    ctor: RequestMember,
    fields: {
      tokens: 'int',
      modalities: 'list<string>',
      tools: 'list<string>',
      structured_output: 'bool',
      stream: 'bool',
      headers: 'map<string, string>',
      end_user: 'string',
      api: 'string',
    },
  },
  key: { ctor: KeyMember, fields: { id: 'string' } },
  project: { ctor: ProjectMember, fields: { id: 'string' } },
  account: { ctor: AccountMember, fields: { id: 'string', tags: 'list<string>' } },
  budget: { ctor: BudgetMember, fields: { left: 'double' } },
  time: { ctor: TimeMember, fields: { hour: 'int', weekday: 'string' } },
} as const;

/** The record of a request, made once for all conditions of a route. */
export const recordOf = (facts: RouteFacts) => ({
  request: new RequestMember(facts.request),
  key: new KeyMember(facts.keyId),
  project: new ProjectMember(facts.projectId),
  account: new AccountMember(facts.accountId, facts.accountTags),
  budget: new BudgetMember(facts.budgetLeft),
  time: new TimeMember(facts.now),
});

export type ConditionRecord = ReturnType<typeof recordOf>;
