import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, blocksOf } from './markdown.ts';

export const clientsPage = readFileSync(join(import.meta.dirname, '../../docs/clients.md'), 'utf8');

/** What stands for the gateway, the key and the models of a reader. */
const url = 'http://127.0.0.1:4000';
const key = 'sk-tp-…';
const models = /\b(?:claude-(?:haiku|sonnet)-5-5|gemini-3\.8-flash|gpt-6\.1-sol)\b/g;

export interface ExamplePlace {
  /** The address of the gateway, without a path. */
  origin: string;
  apiKey: string;
  /** Replaces every model; without it, the models stay. */
  model?: string;
}

export const inPlace = (text: string, { origin, apiKey, model }: ExamplePlace): string => {
  const moved = text.replaceAll(url, () => origin).replaceAll(key, () => apiKey);
  return model === undefined ? moved : moved.replaceAll(models, () => model);
};

/** The blocks of the section with this heading, up to the next heading. */
function blocksUnder(heading: string): Block[] {
  const [, section] = clientsPage.split(new RegExp(`^#+ ${heading}$`, 'm'));
  if (section === undefined) throw new Error(`docs/clients.md has no section ${heading}.`);
  return blocksOf(section.split(/^#+ /m)[0] ?? '');
}

/** The first block of a section in this language, for this gateway, key and model. */
export function documentedBlock(heading: string, language: string, place: ExamplePlace): string {
  const found = blocksUnder(heading).find((block) => block.language === language);
  if (found === undefined) throw new Error(`${heading} in docs/clients.md has no block of ${language}.`);
  return inPlace(found.text, place);
}

/** The variables that the blocks of a section export. */
export function documentedVariables(heading: string, place: ExamplePlace): Record<string, string> {
  const exports = blocksUnder(heading).flatMap(({ text }) => [
    ...inPlace(text, place).matchAll(/^export (\w+)=(.*)$/gm),
  ]);
  return Object.fromEntries(exports.map(([, name = '', value = '']) => [name, value]));
}
