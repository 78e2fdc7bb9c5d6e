import { words } from './words.ts';

/** Of an offer behind others; `first` for the offer that is tried first, where that is another reason. */
const placeReasons: Readonly<Record<string, { text: string; first?: string }>> = {
  score: { text: 'Next best score.', first: 'Best score of the healthy offers.' },
  tie: { text: 'As good as the best within the margin, and earlier in the catalogue.' },
  explore: { text: 'Tried first on purpose, to keep its figures current.' },
  affinity: { text: 'It answered this conversation before and has its prompt cached.' },
  pinned: { text: 'The request named this provider.' },
  preferred: { text: 'The request listed its provider in `provider.order`.' },
  slow: { text: 'It is slower than the request prefers.' },
  rerouted: { text: 'The request named another provider, whose uptime is too low.' },
  fallback: { text: 'Only if the provider that the request named fails.' },
  trial: { text: 'A trial request: it failed before, and successes give it its share of the requests back.' },
  recovering: { text: 'Behind the healthy offers: it failed, and its next trial request may not start yet.' },
  low_uptime: { text: 'Behind the healthy offers: its uptime is too low.' },
  cooldown: { text: 'Behind the healthy offers: the provider asked for a pause.' },
  breaker_open: { text: 'Behind the healthy offers: its breaker is open after several failures.' },
};

/** Why an offer had its place in the plan, which begins with 0. Reasons of another version are shown as they are. */
export function placeReason(reason: string | undefined, at: number): string {
  if (reason === undefined) return 'Not recorded.';
  const { text = words(reason), first = text } = placeReasons[reason] ?? {};
  return at === 0 ? first : text;
}

const routeReasons: Readonly<Record<string, string>> = {
  condition: 'one of its conditions chose the model',
  weight: 'its weights chose the model',
  other_target: 'the model stood in for the target that its weights chose',
  then: 'the model stood in for those before it',
  shadow: 'its shadow got a copy of the request',
};

/** Why a model had its place in a route. */
export const modelReason = (reason: string): string => routeReasons[reason] ?? words(reason);

/** The named route of a request, and why the model that answered had its place in it. */
export const routeText = ({ name, reason }: { name: string; reason: string }): string =>
  `${name}: ${modelReason(reason)}`;

/** Why an offer could not serve the request, with the detail of the plan. */
export function exclusionText({ reason, detail = '' }: { reason: string; detail?: string | undefined }): string {
  switch (reason) {
    case 'not_allowed':
      return 'This key may not use it.';
    case 'not_preferred':
      return `The request excludes it: ${detail}.`;
    case 'other_provider':
      return `The request allows no other provider: ${detail}.`;
    case 'deactivated':
      return `Not offered since ${detail.slice(0, 10)}.`;
    case 'no_access':
      return `It cannot be called: ${detail}.`;
    case 'unsupported':
      return detail.endsWith('.') ? detail : `It does not support ${detail}.`;
    default:
      return [words(reason), detail].filter((text) => text !== '').join(': ');
  }
}
