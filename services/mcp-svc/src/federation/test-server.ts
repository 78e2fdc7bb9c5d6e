import { type McpServerTest, toGatewayError } from '@tallyport/contracts';
import type { RegisteredServer } from './registered-server.ts';

/** Lists the tools of a server now, for a person who wants to know whether it works. */
export async function testServer(server: Pick<RegisteredServer, 'listNow'>): Promise<McpServerTest> {
  const startedAt = performance.now();
  const durationMs = (): number => performance.now() - startedAt;
  try {
    const { tools, leftOut } = await server.listNow();
    const shown = tools.map(({ offeredAs, title, description }) => ({ name: offeredAs, title, description }));
    return { durationMs: durationMs(), tools: shown, leftOut };
  } catch (thrown) {
    const { code, message } = toGatewayError(thrown);
    return { durationMs: durationMs(), error: { code, message } };
  }
}
