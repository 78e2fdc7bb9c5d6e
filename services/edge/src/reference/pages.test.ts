import { render } from '@tallyport/pages';
import { describe, expect, test } from 'vitest';
import { areasOf } from './areas.ts';
import { operationsOf, readReferenceDocument } from './document.ts';
import { areaPage, introductionPage, searchPage } from './pages.ts';

const document = readReferenceDocument();
const areas = areasOf(document);
const origin = 'https://gateway.example';

describe('the pages of the reference', () => {
  test('show every operation once, with its name as an anchor', () => {
    const pages = areas.map((area) => render(areaPage(area, { document, areas, origin })));
    const anchors = pages.flatMap((page) => [...page.matchAll(/<section [^>]*id="(\w+)"/g)].map(([, id]) => id));
    expect(anchors.toSorted()).toEqual(
      operationsOf(document)
        .map(({ operationId }) => operationId)
        .toSorted(),
    );
  });

  test('have addresses of their own', () => {
    const slugs = areas.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs).not.toContain('search');
    expect(slugs).toEqual(expect.arrayContaining(['chat', 'responses', 'mcp', 'manage-keys', 'manage-mcp-servers']));
  });

  test('lead to all areas from the introduction, which has the table of errors', () => {
    const page = render(introductionPage({ document, areas }, origin));
    for (const { slug } of areas) expect(page).toContain(`href="/docs/${slug}"`);
    expect(page).toContain('https://gateway.example/v1');
    expect(page).toMatch(/<code>invalid_api_key<\/code>/);
  });

  test('show what was searched for as text', () => {
    const page = render(searchPage({ document, areas }, '<script>'));
    expect(page).toContain('value="&lt;script&gt;"');
    expect(page).toContain('No operation has these words.');
  });
});
