import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

interface MarkdownFile {
  path: string;
  text: string;
}

export interface Block {
  /** The language of the fence, or empty. */
  language: string;
  text: string;
}

/** All Markdown files of the repository. */
export const documents = (): MarkdownFile[] =>
  globSync('{*.md,{docs,bench,deploy,packages,services,tests}/**/*.md}', { cwd: root, exclude: ['**/node_modules/**'] })
    .toSorted()
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }));

const fence = /^( *)```([a-z]*)[^\n]*\n([\s\S]*?)\n\1```$/gm;

export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(fence)].map(([, indent = '', language = '', block = '']) => ({
    language,
    text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));

/** The code block after this comment; empty if there is none. */
export const blockAfter = (text: string, comment: string, language = 'yaml'): string =>
  text.split(`<!-- ${comment} -->\n\n\`\`\`${language}\n`)[1]?.split('\n```')[0] ?? '';

/** The text without code blocks and inline code. */
export const proseOf = (text: string): string => text.replaceAll(fence, '').replaceAll(/`[^`\n]*`/g, '');

/** The anchors of a file's headings, as code hosts make them. */
export const slugsOf = (text: string): string[] =>
  [...text.replaceAll(fence, '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
