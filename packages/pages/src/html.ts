/** HTML markup. Only `html` creates it, so all other values in a page are escaped. */
export interface Html {
  readonly [markup]: string;
}

const markup = Symbol('markup');

export type HtmlContent = Html | string | number | false | undefined | readonly HtmlContent[];

/** `html\`<p>${name}</p>\``: escapes all inserted values except nested `html`. Attribute values must be quoted. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlContent[]): Html {
  return { [markup]: String.raw({ raw: texts }, ...parts.map(write)) };
}

export const render = (page: Html): string => page[markup];

function write(part: HtmlContent): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part));
  return isList(part) ? part.map(write).join('') : part[markup];
}

const isList = (part: Html | readonly HtmlContent[]): part is readonly HtmlContent[] => Array.isArray(part);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
