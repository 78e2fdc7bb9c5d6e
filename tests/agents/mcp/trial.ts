import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, isDeepStrictEqual } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Gateway } from '../../gateway/in-process.ts';
import { email, password } from '../../oauth/gateway.ts';
import { createPerson } from '../../oauth/person.ts';
import { shutOff } from '../run-agent.ts';
import { type HomeBrowser, installBrowser } from './browser.ts';
import { endAccessTokens } from './end-tokens.ts';
import type { McpOrder, McpProgram } from './program.ts';

/** How a program authenticates. */
interface AuthenticationMode {
  title: string;
  hasKey: boolean;
  isModern: boolean;
  /** It opens a browser, in which the owner grants access. */
  opensBrowser: boolean;
  /** Its access token has expired, its refresh token has not. */
  hasExpired?: boolean;
}

/** Run in this order with one home folder, which keeps the tokens from one start to the next. */
const modes: readonly AuthenticationMode[] = [
  { title: 'with a key', hasKey: true, isModern: false, opensBrowser: false },
  { title: 'with a key, MCP 2026-07-28', hasKey: true, isModern: true, opensBrowser: false },
  { title: 'signs in', hasKey: false, isModern: false, opensBrowser: true },
  { title: 'started again, stays signed in', hasKey: false, isModern: false, opensBrowser: false },
  { title: 'renews an expired access token', hasKey: false, isModern: false, opensBrowser: false, hasExpired: true },
  { title: 'signed in, MCP 2026-07-28', hasKey: false, isModern: true, opensBrowser: false },
];

export const loopbackNames = ['localhost', '127.0.0.1'] as const;

interface McpTrial {
  title: string;
  /** `undefined` if it got the tools and opened a browser only when expected. */
  problem: string | undefined;
}

interface InstalledMcpProgram {
  program: McpProgram;
  executable: string;
}

/** Creates the first owner with the link that the start prints. */
export async function setUpOwner(gateway: Gateway): Promise<void> {
  const person = createPerson(gateway.baseUrl);
  const page = await person.submit(await person.open(gateway.setupPath() ?? ''), { email, password });
  if (page.status !== 200) throw new Error(`The first owner could not be created:\n${page.text}`);
}

/**
 * Lists the tools in every mode at one loopback name. Stops at the first failure, because later modes need earlier
 * ones.
 */
export async function tryMcpProgram(
  { program, executable }: InstalledMcpProgram,
  { gateway, name }: { gateway: Gateway; name: string },
): Promise<McpTrial[]> {
  const home = await mkdtemp(join(tmpdir(), 'tallyport-mcp-'));
  try {
    const browser = await installBrowser(home);
    const url = new URL('/mcp', gateway.baseUrl);
    url.hostname = name;
    const environment = { ...shutOff, HOME: home, TMPDIR: home, ...browser.environment };
    const order = { executable, home, environment, url: url.href };
    const tools = await toolsOf(gateway);
    const trials: McpTrial[] = [];
    for (const { title, hasKey, isModern, opensBrowser, hasExpired = false } of modes) {
      const expected: Outcome = { tools, visits: opensBrowser ? [`${url.origin} allowed`] : [] };
      const key = hasKey ? { apiKey: gateway.apiKey } : {};
      const outcome = await outcomeOf(program, { order: { ...order, ...key, isModern }, browser, hasExpired });
      const passed = isDeepStrictEqual(outcome, expected);
      trials.push({ title, problem: passed ? undefined : inspect(outcome) });
      if (!passed) break;
    }
    return trials;
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Outcome {
  tools: readonly string[] | Error;
  /** Visits of the browser. */
  visits: readonly string[];
}

async function outcomeOf(
  program: McpProgram,
  { order, browser, hasExpired }: { order: McpOrder; browser: HomeBrowser; hasExpired: boolean },
): Promise<Outcome> {
  const before = await browser.visits();
  const ready = hasExpired ? endAccessTokens(order.home, program.tokenFiles) : Promise.resolve();
  const tools = await ready
    .then(() => program.listTools(order))
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  const visits = await browser.visits();
  return { tools, visits: visits.slice(before.length) };
}

/** The names of the tools as the gateway lists them for its key. */
async function toolsOf({ baseUrl, apiKey }: Gateway): Promise<string[]> {
  const client = new Client({ name: 'tallyport-agents', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${apiKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { requestInit }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}
