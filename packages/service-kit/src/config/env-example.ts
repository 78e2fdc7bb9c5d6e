import type { Setting, Settings } from './setting.ts';

export interface EnvExampleSection {
  readonly title: string;
  readonly settings: Settings;
}

const opening = `# Everything that can be set, with its default; made from the definitions in the code.
# Copy what you need into a file named .env beside this one, or set it in the environment, which wins.
# An empty value is the same as none. Secrets may be given as files instead: <NAME>_FILE is the path of one.
`;

/** The text of `.env.example`. A name in several sections is shown in the first. */
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

/** Every name an `.env.example` shows. */
export function namesInExample(text: string): string[] {
  return Array.from(text.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm), (match) => match[1] ?? '');
}

function entry(name: string, setting: Setting): string {
  return `\n# ${setting.description}\n#${name}=${setting.default ?? setting.example ?? ''}\n`;
}
