import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { contentLink, contentPage } from './content-view.ts';

const page = { base: '/dashboard/acme', id: 'use_1', problem: undefined, isKept: true, mayChange: true };
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

test('shows every part of prompt and answer, and never as markup', () => {
  const html = render(
    contentPage({
      ...page,
      content: {
        prompt: {
          parts: [
            { role: 'user', kind: 'text', text: '<script>alert(1)</script>' },
            { role: 'user', kind: 'file', mediaType: 'image/png', bytes: 1_200 },
          ],
          cut: true,
        },
        answer: { parts: [{ kind: 'tool_call', name: 'search', text: '{}' }], cut: false },
      },
    }),
  );
  expect(html).not.toContain('<script>');
  expect(textOf(html)).toContain(
    'Prompt user &lt;script&gt;alert(1)&lt;/script&gt; user, file, image/png, 1,200 bytes ' +
      'It was longer than the account keeps, and ends here. Answer call of a tool, search {}',
  );
});

test('says that no provider answered, or why there is nothing', () => {
  const prompt = { parts: [], cut: false };
  expect(textOf(render(contentPage({ ...page, content: { prompt } })))).toContain('No provider answered.');
  expect(textOf(render(contentPage({ ...page, content: undefined, problem: 'Not kept.' })))).toMatch(/Not kept\.$/);
});

test('leads to the setting while nothing is kept, for those who may change it, and names the setting of the operator', () => {
  const owner = render(contentLink({ ...page, isKept: false }));
  expect(owner).toContain('href="/dashboard/acme/account#contentLog.days"');
  expect(owner).toContain('LOG_CONTENT=true');
  const admin = render(contentPage({ ...page, isKept: false, mayChange: false, content: undefined, problem: 'No.' }));
  expect(admin).not.toContain('/account');
  expect(admin).toContain('An owner can change that');
  expect(render(contentLink(page))).not.toContain('LOG_CONTENT');
});
