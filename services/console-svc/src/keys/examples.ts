import { readFileSync } from 'node:fs';
import { copyable, type Html } from '@switchyard/pages';

const titles = {
  curl: 'curl',
  python: 'Python, with the OpenAI SDK',
  typescript: 'TypeScript, with the OpenAI SDK',
  mcp: 'MCP configuration',
};

/** Examples for a new key: files with `{url}`, `{key}` and `{model}` as placeholders, read once. */
const examples = Object.entries(titles).map(([name, title]) => ({
  title,
  text: readFileSync(new URL(`./examples/${name}.txt`, import.meta.url), 'utf8').trimEnd(),
}));

/** A model of the sandbox providers, which respond while no provider key is set. */
const freshModel = 'sandbox-chat';

export interface ExamplePlace {
  url: string;
  key: string;
  /** The models the key may use, if they are restricted. */
  allowedModels?: readonly string[] | undefined;
}

export function exampleParts({ url, key, allowedModels = [] }: ExamplePlace): Html[] {
  const place = { url, key, model: allowedModels[0] ?? freshModel };
  return examples.map(({ title, text }) =>
    copyable(
      title,
      text.replaceAll(/\{(url|key|model)\}/g, (_, name: keyof typeof place) => place[name]),
    ),
  );
}
