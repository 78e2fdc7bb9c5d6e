import { readFileSync } from 'node:fs';
import { copyable, type Html } from '@tallyport/pages';

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

interface ExamplePlace {
  url: string;
  key: string;
  /** A model that the key can call. Without one, only the examples that name no model are returned. */
  model: string | undefined;
}

export function exampleParts({ url, key, model }: ExamplePlace): Html[] {
  const place = { url, key, model: model ?? '' };
  return examples
    .filter(({ text }) => model !== undefined || !text.includes('{model}'))
    .map(({ title, text }) =>
      copyable(
        title,
        text.replaceAll(/\{(url|key|model)\}/g, (_, name: keyof typeof place) => place[name]),
      ),
    );
}
