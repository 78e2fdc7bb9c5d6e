import { namesOf } from '@tallyport/contracts';

/** Client metadata as its publisher serves it at the address that is the client's id. */
interface ClientDocument {
  client_id: string;
  client_name: string;
  redirect_uris: readonly string[];
}

/** Applications that many people use, by the name an operator gives. Their documents were last compared on 2026-11-26. */
const knownClients = {
  'claude-code': published({
    client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
    client_name: 'Claude Code',
    redirect_uris: loopback('/callback'),
  }),
  codex: published(
    {
      client_id: 'https://chatgpt.com/oauth/codex/client.json',
      client_name: 'Codex',
      redirect_uris: loopback('/callback'),
    },
    codexOfServer,
  ),
  opencode: published({
    client_id: 'https://opencode.ai/oauth/opencode/client.json',
    client_name: 'opencode',
    // It uses the second path, which its document lacks.
    redirect_uris: [...loopback('/callback'), ...loopback('/mcp/oauth/callback')],
  }),
  vscode: published({
    client_id: 'https://vscode.dev/oauth/client-metadata.json',
    client_name: 'Visual Studio Code',
    redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  }),
  zed: published({
    client_id: 'https://zed.dev/oauth/client-metadata.json',
    client_name: 'Zed',
    redirect_uris: ['http://127.0.0.1/callback'],
  }),
} satisfies Record<string, DocumentAt>;

export type KnownClientName = keyof typeof knownClients;

export const knownClientNames = namesOf(knownClients);

type DocumentAt = (address: string) => ClientDocument | undefined;

/** The document at an address, if it is one of these clients. */
export function pinnedDocument(names: readonly KnownClientName[], address: string): ClientDocument | undefined {
  for (const name of names) {
    const document = knownClients[name](address);
    if (document !== undefined) return document;
  }
  return undefined;
}

function published(document: ClientDocument, variant: DocumentAt = () => undefined): DocumentAt {
  return (address) => (address === document.client_id ? document : variant(address));
}

/** Codex may name the server it signs in to, in its id and in its redirect alike. */
function codexOfServer(address: string): ClientDocument | undefined {
  const server = /^https:\/\/chatgpt\.com\/oauth\/codex\/([\w-]{1,64})\/client\.json$/.exec(address)?.[1];
  if (server === undefined) return undefined;
  return { client_id: address, client_name: 'Codex', redirect_uris: loopback(`/callback/${server}`) };
}

/** The port of a loopback redirect may vary. */
function loopback(path: string): string[] {
  return [`http://127.0.0.1${path}`, `http://localhost${path}`];
}
