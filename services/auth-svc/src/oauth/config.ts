import { type ConfigOf, defineConfig, flag, list } from '@tallyport/service-kit';
import { z } from 'zod';
import type { OAuthOptions } from './oauth-server.ts';
import { knownClientNames } from './known-clients.ts';

/** The settings of the OAuth server. */
export const oauthConfig = defineConfig({
  OAUTH_CLIENT_DOCUMENTS: {
    schema: flag,
    default: 'true',
    description:
      'Whether OAuth clients may identify themselves by the address of a document, which auth-svc downloads from the internet. Without it they register.',
  },
  OAUTH_PINNED_CLIENTS: {
    schema: list.pipe(z.array(z.enum(knownClientNames, `must be some of ${knownClientNames.join(', ')}`))),
    default: '',
    example: 'claude-code,codex',
    description: `Well-known OAuth clients whose documents are not downloaded, because this gateway has copies: ${knownClientNames.join(', ')}, comma-separated.`,
    contradiction: ({ OAUTH_PINNED_CLIENTS: pinned, OAUTH_CLIENT_DOCUMENTS: on }) =>
      Array.isArray(pinned) && pinned.length > 0 && on === false
        ? 'needs OAUTH_CLIENT_DOCUMENTS=true; without documents these clients register'
        : undefined,
  },
});

/** How clients of the OAuth server identify themselves. */
export type OAuthClientRules = Pick<OAuthOptions, 'pinned' | 'readsDocuments'>;

export const oauthClientRules = ({
  OAUTH_CLIENT_DOCUMENTS: readsDocuments,
  OAUTH_PINNED_CLIENTS: pinned,
}: ConfigOf<typeof oauthConfig>): OAuthClientRules => ({ readsDocuments, pinned });
