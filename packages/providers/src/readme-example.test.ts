import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { ChatProvider } from './provider.ts';
import { providerSuite } from './provider.suite.ts';
import { vendorOf } from './testing/openai-vendor.ts';

/** The README's "Add a provider", done: its file is written, imported, and held to the laws of all providers. */
const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const example = exampleIn(readme);
const acme = await providerIn(example);

test('the example of the README is one short file', () => {
  expect(example).toContain("import { openAiCompatible } from '../openai-compatible/chat.ts';");
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(30);
});

test('it does what it says', () => {
  expect([acme.id, acme.keyVariable]).toEqual(['acme', 'ACME']);
  expect(vendorOf(acme).sent({ max_tokens: 5 })).toEqual({ max_completion_tokens: 5 });
});

providerSuite(acme);

/** The first TypeScript after the heading, without the indentation of its list. */
function exampleIn(text: string): string {
  const section = text.slice(text.indexOf('## Add a provider'));
  const block = /```ts\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
  return block.replaceAll(/^ {3}/gm, '');
}

async function providerIn(code: string): Promise<ChatProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-readme-'));
  try {
    const file = join(folder, 'chat.ts');
    const own = fileURLToPath(new URL('./openai-compatible/chat.ts', import.meta.url));
    writeFileSync(file, code.replace('../openai-compatible/chat.ts', pathToFileURL(own).href));
    const made: { acme: ChatProvider } = await import(/* @vite-ignore */ pathToFileURL(file).href);
    return made.acme;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
