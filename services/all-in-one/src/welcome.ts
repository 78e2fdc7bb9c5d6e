import { sandboxProviders, sharedModel } from '@switchyard/sandbox';

export interface Welcome {
  url: string;
  key: string;
  /** The path that creates the first owner; `undefined` if there is one. */
  setupPath: string | undefined;
  sandboxUrl: string | undefined;
}

/** The text after `npm start`: the addresses, the key, something to try, and where to read on. */
export function welcome({ url, key, setupPath, sandboxUrl }: Welcome): string {
  const model = sandboxUrl === undefined ? '<a model from GET /v1/models>' : sharedModel;
  return [
    '',
    `  Switchyard is ready.   ${sandboxUrl === undefined ? '' : 'No provider key is set, so simulated providers answer.'}`,
    '',
    `  URL       ${url}/v1`,
    `  API key   ${key}`,
    `  MCP       ${mcpConfiguration(url, key)}`,
    `  Dashboard ${url}/dashboard`,
    ...(setupPath === undefined
      ? []
      : [`  Set up    ${url}${setupPath}   (no owner yet; open this once to set one up)`]),
    '',
    '  Try it:',
    `    curl -N ${url}/v1/chat/completions \\`,
    `      -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\`,
    `      -d '{"model":"${model}","stream":true,"messages":[{"role":"user","content":"Hello"}]}'`,
    '',
    ...(sandboxUrl === undefined ? [] : [...failover(sandboxUrl), ...gallery(sandboxUrl)]),
    '  Docs      README.md (first steps), docs/ (settings, providers, operating)',
    '',
    '',
  ].join('\n');
}

/** In the format of Claude Code, Cursor and most other hosts; docs/clients.md has the rest. */
const mcpConfiguration = (url: string, key: string): string =>
  JSON.stringify({
    mcpServers: { switchyard: { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } } },
  });

const failover = (sandboxUrl: string): readonly string[] => [
  `  Watch it fail over: break ${sandboxProviders[0]?.id} on ${sandboxUrl}/control, then ask again. Or`,
  `    curl -X POST ${sandboxUrl}/control/faults -H "Content-Type: application/json" \\`,
  `      -d '{"provider":"${sandboxProviders[0]?.id}","fault":"status:503"}'`,
  '',
];

const gallery = (sandboxUrl: string): readonly string[] => [
  `  To see images made in three ways, open ${sandboxUrl}/control/gallery and enter the key.`,
  '',
];
