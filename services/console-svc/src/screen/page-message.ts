import type { GatewayError } from '@tallyport/contracts';
import { type SectionName, sections } from './sections.ts';

/** The pages that show what these paths of the APIs list. */
const pages: Readonly<Record<string, SectionName>> = {
  'guard-webhooks': 'guardrails',
  'oauth-grants': 'oauth-clients',
  alerts: 'budgets',
  invitations: 'members',
};

/** What a page says about an error of an API, whose messages name operations: the page where a person finds the same. */
export const pageMessage = ({ message }: Pick<GatewayError, 'message'>): string =>
  message
    .replace(
      /(?<=^|\. )(?:[^.:]*:|Name one of) GET \/api\/v1\/([a-z-]+)\.?$/,
      (all, list: string) => listedBy(list) ?? all,
    )
    .replace('The page Providers and GET /v1/providers list all.', 'The page Providers lists all.')
    .replace(/(?<=^|\. )GET \/v1\/(models|providers)/, (_all, list: 'models' | 'providers') => pageNamed(list))
    .replace("the account's contentLog was off", 'the account did not keep any')
    .replace('use POST /api/v1/password', 'follow your e-mail address at the top of a page, and enter it');

function listedBy(list: string): string | undefined {
  const name = pages[list] ?? list;
  return isSection(name) ? `${pageNamed(name)} lists all.` : undefined;
}

const isSection = (name: string): name is SectionName => Object.hasOwn(sections, name);

const pageNamed = (name: SectionName): string => `The page ${sections[name].title}`;
