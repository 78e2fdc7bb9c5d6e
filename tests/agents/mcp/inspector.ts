import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runToEnd } from '../../support/run-to-end.ts';
import { type McpProgram, programDeadlineMs } from './program.ts';

export const inspector: McpProgram = {
  name: 'inspector',
  package: '@modelcontextprotocol/inspector',
  version: '2.12.0',
  program: 'mcp-inspector',
  tokenFiles: '.mcp-inspector/secrets.json',
  async listTools({ executable, home, environment, url, apiKey, isModern = false }) {
    const output = join(home, 'tools.json');
    const header = apiKey === undefined ? [] : ['--header', `Authorization: Bearer ${apiKey}`];
    const era = ['--protocol-era', isModern ? 'modern' : 'legacy'];
    const request = ['--transport', 'http', '--method', 'tools/list', '--output', output];
    await runToEnd(executable, ['--cli', url, ...request, ...era, ...header], {
      cwd: home,
      // Without a terminal it opens a browser only with this variable. By default it keeps secrets in the machine's
      // keychain.
      env: { ...environment, MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' },
      signal: AbortSignal.timeout(programDeadlineMs),
    });
    const { tools }: { tools: { name: string }[] } = JSON.parse(await readFile(output, 'utf8'));
    return tools.map(({ name }) => name);
  },
};
