import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type McpProgram, programDeadlineMs } from './program.ts';

/** The bridge from stdio to HTTP that Claude Desktop starts to reach a server. */
export const mcpRemote: McpProgram = {
  name: 'mcp-remote',
  package: 'mcp-remote',
  version: '0.15.1',
  program: 'mcp-remote',
  tokenFiles: '.mcp-auth/*/*_tokens.json',
  async listTools({ executable, home, environment, url, apiKey, isModern = false }) {
    const header = apiKey === undefined ? [] : ['--header', 'Authorization:${TALLYPORT_AUTH}'];
    const era = ['--protocol', isModern ? 'auto' : 'legacy'];
    const transport = new StdioClientTransport({
      command: executable,
      args: [url, ...era, ...header],
      env: { ...environment, TALLYPORT_AUTH: `Bearer ${apiKey}` },
      cwd: home,
      stderr: 'pipe',
    });
    let output = '';
    transport.stderr?.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-20_000)));
    const client = new Client({ name: 'tallyport-agents', version: '1' });
    const options = { timeout: programDeadlineMs };
    try {
      await client.connect(transport, options);
      const { tools } = await client.listTools(undefined, options);
      // It silently falls back to an older revision if the newest one is not accepted.
      if (isModern && !output.includes('speaks MCP 2026-07-28')) throw new Error('It fell back to an older revision.');
      return tools.map(({ name }) => name);
    } catch (cause) {
      throw new Error(`${String(cause)}\n${output}`, { cause });
    } finally {
      await client.close();
    }
  },
};
