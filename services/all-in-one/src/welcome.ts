import { sandboxProviders } from '@tallyport/sandbox';

export interface Welcome {
  url: string;
  key: string;
  /** Whether the operator chose the key. It then is the name of a variable, and stays out of links. */
  isOwnKey: boolean;
  /** The path that creates the first owner; `undefined` if there is one. */
  setupPath: string | undefined;
  /** The setting `SANDBOX`. */
  sandbox: 'auto' | 'on' | 'off';
  /** The address of the simulated providers, if they run inside. */
  sandboxUrl: string | undefined;
  /** The providers with a key. */
  providers: readonly string[];
  /** A model for the first chat; `undefined` if no provider with a key has one. */
  model: string | undefined;
  /** Whether a Postgres of this machine could be used instead of the embedded database. */
  offersPostgres: boolean;
}

/** The text after `npm start`: the addresses, the key, something to try, and where to read on. */
export function welcome(parts: Welcome): string {
  const { url, key, setupPath, sandboxUrl } = parts;
  return [
    '',
    `  Tallyport is ready.   ${stateOf(parts)}`.trimEnd(),
    '',
    `  URL              ${url}`,
    `  OpenAI base URL  ${url}/v1`,
    `  API key          ${key}`,
    `  MCP              ${mcpConfiguration(url, key)}`,
    `  Dashboard        ${url}/dashboard`,
    ...(setupPath === undefined
      ? []
      : [`  Set up           ${url}${setupPath}   (no owner yet; open this once to set one up)`]),
    ...(sandboxUrl === undefined ? [] : [`  Images           ${linkOf(parts, '/control/gallery')}`]),
    ...(parts.offersPostgres
      ? [
          '  Database         embedded; the Postgres of this machine can take its place: docs/performance.md, "What you can set"',
        ]
      : []),
    '',
    '  Copy this first, then the lines below and those of README.md:',
    `    export URL=${url} TALLYPORT_API_KEY=${key}`,
    '',
    ...firstRequest(parts.model),
    '',
    ...(sandboxUrl === undefined ? [] : failover(sandboxUrl, linkOf(parts, '/control'))),
    '  Docs             README.md (first steps), docs/ (settings, providers, operating)',
    '',
    '',
  ].join('\n');
}

function stateOf({ sandbox, sandboxUrl, providers }: Welcome): string {
  if (sandbox === 'auto' && providers.length > 0)
    return 'Simulated models are off because a provider key is set; SANDBOX=on keeps them.';
  if (sandboxUrl !== undefined && providers.length === 0)
    return 'No provider key is set, so simulated providers answer.';
  return '';
}

/** In the format of Claude Code, Cursor and most other hosts; docs/clients.md has the rest. */
const mcpConfiguration = (url: string, key: string): string =>
  JSON.stringify({
    mcpServers: { tallyport: { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } } },
  });

/** A page of the simulated providers. Browsers send no server what follows `#`. */
const linkOf = ({ sandboxUrl, key, isOwnKey }: Welcome, path: string): string =>
  `${sandboxUrl}${path}${isOwnKey ? '' : `#key=${key}`}`;

/** Not from the cache, so that the same line shows a failover. */
function firstRequest(model: string | undefined): readonly string[] {
  const authorization = '-H "Authorization: Bearer $TALLYPORT_API_KEY"';
  if (model === undefined) return ['  List the models that you can call:', `    curl $URL/v1/models ${authorization}`];
  return [
    '  Ask:',
    `    curl -N $URL/v1/chat/completions ${authorization} \\`,
    `      -H "Content-Type: application/json" -H "x-no-cache: true" \\`,
    `      -d '{"model":"${model}","stream":true,"messages":[{"role":"user","content":"Hello"}]}'`,
  ];
}

function failover(sandboxUrl: string, page: string): readonly string[] {
  const [first, second] = sandboxProviders.map(({ id }) => id);
  return [
    `  Watch it fail over: break ${first}, ask again, and ${second} answers. With a click:`,
    `    ${page}`,
    '  Or in the shell:',
    `    curl -X POST ${sandboxUrl}/control/faults -H "Content-Type: application/json" \\`,
    `      -d '{"provider":"${first}","fault":"status:503"}'`,
    `    curl -X DELETE ${sandboxUrl}/control/faults   # repair it`,
    '',
  ];
}
