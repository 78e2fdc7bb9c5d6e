import { readFileSync } from 'node:fs';
import type { Html } from '../html.ts';
import { copyable } from './parts.ts';

const titles = {
  curl: 'curl',
  python: 'Python, with the OpenAI SDK',
  typescript: 'TypeScript, with the OpenAI SDK',
  mcp: 'MCP configuration',
};

/** What to try a key with: files, with `{url}` and `{key}` where those belong. Read once. */
const examples = Object.entries(titles).map(([name, title]) => ({
  title,
  text: readFileSync(new URL(`../assets/examples/${name}.txt`, import.meta.url), 'utf8').trimEnd(),
}));

export const exampleParts = (place: { url: string; key: string }): Html[] =>
  examples.map(({ title, text }) =>
    copyable(
      title,
      text.replaceAll(/\{(url|key)\}/g, (_, name: keyof typeof place) => place[name]),
    ),
  );
