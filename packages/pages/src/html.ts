import { oncePer } from '@tallyport/contracts';
import { type Viewer, viewerIn } from './viewer.ts';

/** HTML markup. Only `html` creates it, so all other values in a page are escaped. */
export interface Html {
  readonly [markup]: (viewer: Viewer) => string;
}

const markup = Symbol('markup');

export type HtmlContent = Html | string | number | false | undefined | readonly HtmlContent[];

/** `html\`<p>${name}</p>\``: escapes all inserted values except nested `html`. Attribute values must be quoted. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlContent[]): Html {
  return {
    [markup]: (viewer) => {
      const [first = '', ...others] = withoutIndents(texts);
      return others.reduce((text, other, at) => text + write(parts[at], viewer) + other, first);
    },
  };
}

/** The indents of our source are a third of a page. */
const withoutIndents = oncePer((texts: TemplateStringsArray): readonly string[] =>
  texts.map((text) => text.replaceAll(/\n\s+/g, '\n')),
);

/** Content that depends on who views the page, for example a time in their zone. */
export const viewed = (content: (viewer: Viewer) => HtmlContent): Html => ({
  [markup]: (viewer) => write(content(viewer), viewer),
});

/** The text of a page, by default for a viewer in UTC. */
export const render = (page: Html, viewer: Viewer = viewerIn('UTC')): string => page[markup](viewer);

function write(part: HtmlContent, viewer: Viewer): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escape(part);
  if (typeof part === 'number') return String(part);
  return isList(part) ? part.map((each) => write(each, viewer)).join('') : part[markup](viewer);
}

const isList = (part: Html | readonly HtmlContent[]): part is readonly HtmlContent[] => Array.isArray(part);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Most texts of a page have nothing to escape. */
const escape = (text: string): string =>
  /[&<>"']/.test(text) ? text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '') : text;
