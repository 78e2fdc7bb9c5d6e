/** What a page shows: the text between tags, and what assistive technology reads out of attributes. */
export function textsInMarkup(markup: string): string[] {
  const attributes = [...markup.matchAll(/(?:title|aria-label|alt|placeholder)="([^"]+)"/g)].map(
    ([, text = '']) => text,
  );
  return [...markup.replaceAll(/<[^>]*>/g, '\n').split('\n'), ...attributes].filter((text) =>
    /\p{L}{2}/u.test(text.replaceAll(/\$\{[^}]*\}/g, '')),
  );
}
