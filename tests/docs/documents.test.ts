import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { runToEnd } from '../support/run-to-end.ts';
import { createAdminKey } from './admin-key.ts';
import { blocksOf, documents } from './markdown.ts';

/** Complete blocks (without `…`) that start with curl or use OpenAI's client. `readme.long.test.ts` runs those of the README. */
const further = documents().filter(({ path }) => path !== 'README.md');
const runnable = further.flatMap(({ path, text }) =>
  blocksOf(text)
    .filter(({ text: block }) => !block.includes('…'))
    .filter(({ text: block }) => block.startsWith('curl ') || block.startsWith("import OpenAI from 'openai'"))
    .map(({ language, text: block }) => ({ path, language, block, title: `${path}: ${block.split('\n')[0]}` })),
);

/** Makes curl fail on an error status and time out. */
const shell = `set -euo pipefail
curl() { command curl --silent --show-error --fail-with-body --max-time 20 "$@"; echo; }
`;

describe('examples in the documents work', () => {
  let running: Gateway;
  let adminKey: string;
  beforeAll(async () => {
    running = await startGateway();
    adminKey = await createAdminKey(running);
  });
  afterAll(async () => {
    await running?.stop();
  });

  /** The values of the variables that the documents use. */
  const environmentOf = (path: string): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    URL: path.startsWith('packages/sandbox/') ? running.sandboxUrl : running.baseUrl,
    TALLYPORT_API_KEY: running.apiKey,
    ADMIN_KEY: adminKey,
    OPS_KEY: adminKey,
  });
  /** Replaces the default ports of the documents. */
  const withPorts = (block: string): string =>
    block.replaceAll('http://127.0.0.1:4000', running.baseUrl).replaceAll('http://127.0.0.1:4010', running.sandboxUrl);

  const programs: Readonly<Record<string, (block: string) => [string, string[]]>> = {
    js: (block) => [process.execPath, ['--input-type=module', '--eval', block]],
    sh: (block) => ['bash', ['-c', shell + block]],
  };

  test('there are examples', () => {
    expect(runnable.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['docs/operate.md', 'docs/providers.md', 'docs/migration.md']),
    );
  });

  test.for(runnable)('$title', async ({ path, language, block }) => {
    const [program, words] = (programs[language] ?? programs['sh']!)(withPorts(block));
    const output = await runToEnd(program, words, { env: environmentOf(path) });
    expect(output.trim()).not.toBe('');
  });
});
