import type { Setting, Settings } from './setting.ts';

export interface EnvExampleSection {
  readonly title: string;
  readonly settings: Settings;
}

const opening = `# All settings with their defaults, generated from the definitions in the code.
# Copy what you need into a file named .env beside this one, or set it in the environment, which takes precedence.
# An empty value counts as not set. A secret can also be read from a file: set <NAME>_FILE to its path.
`;

/** Renders `.env.example`. A name in several sections appears in the first one only. */
export function renderEnvExample(sections: readonly EnvExampleSection[]): string {
  const shown = new Set<string>();
  const parts = sections.map(({ title, settings }) => {
    const fresh = Object.entries(settings).filter(([name]) => !shown.has(name));
    for (const [name] of fresh) shown.add(name);
    return fresh.length === 0
      ? ''
      : `\n# --- ${title} ---\n${fresh.map(([name, setting]) => entry(name, setting)).join('')}`;
  });
  return opening + parts.join('');
}

/** All names in the text of an `.env.example`. */
export function namesInExample(text: string): string[] {
  return Array.from(text.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm), (match) => match[1] ?? '');
}

function entry(name: string, setting: Setting): string {
  return `\n# ${setting.description}\n#${name}=${setting.default ?? setting.example ?? ''}\n`;
}
