import type { RequestHead } from '@tallyport/contracts';
import type { RouteDecision, RouteFacts } from '@tallyport/routes';
import type { Decider } from '../decider/decider.ts';

interface DecidedRequest {
  head: RequestHead;
  text(): string;
  signal?: AbortSignal | undefined;
}

/** What models decided about one request, so that several conditions and routes ask once. */
interface RouteDecisions {
  decided: RouteFacts['decided'];
  /** Asks the model of `wanted` for all statements of the route, within the time of `wanted`. */
  decide(wanted: RouteDecision, all: readonly RouteDecision[]): Promise<void>;
}

/** A statement is about what the request asks for, which is said within this length. */
const longestText = 8_000;

export function createRouteDecisions(
  decider: Pick<Decider, 'ask'> | undefined,
  { head, text, signal }: DecidedRequest,
): RouteDecisions {
  const known = new Map<string, number | null>();
  return {
    decided: (model, statement) => (decider === undefined ? null : known.get(keyOf({ model, statement }))),
    async decide({ model, timeoutMs }, all) {
      const open = all.filter((each) => each.model === model && !known.has(keyOf(each)));
      const statements = [...new Set(open.map(({ statement }) => statement))];
      const input = text().slice(0, longestText);
      const questions = statements.map((instructions, at) => {
        const name = `statement_${at + 1}`;
        return { type: 'predicate', name, instructions } as const;
      });
      const call = { subject: { kind: 'input', input }, questions, hints: {} } as const;
      const asked = { head, by: 'route', model, call, timeoutMs, signal: signal ?? unaborted() } as const;
      const answers = input === '' ? undefined : await decider?.ask(asked);
      for (const [at, statement] of statements.entries()) {
        const answer = answers?.[at];
        known.set(keyOf({ model, statement }), answer?.type === 'predicate' ? answer.probability : null);
      }
    },
  };
}

const unaborted = (): AbortSignal => new AbortController().signal;

const keyOf = ({ model, statement }: Pick<RouteDecision, 'model' | 'statement'>): string =>
  JSON.stringify([model, statement]);
