import { expect, test } from 'vitest';
import { html, render } from './html.ts';

test('escapes inserted text', () => {
  const name = `<img src=x onerror="alert('1')">&amp;`;
  expect(render(html`<p title="${name}">${name}</p>`)).toBe(
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;">&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;</p>',
  );
});

test.each([...`&<>"'`])('escapes a text with %s only', (character) => {
  expect(render(html`<p title="${character}">${character}</p>`)).toMatch(/^<p title="(&[a-z#0-9]+;)">\1<\/p>$/);
});

test('leaves out the indents of the source, and none of an inserted text', () => {
  const text = 'one\n  two';
  const page = html`<div>
    <pre>${text}</pre>
  </div>`;
  expect(render(page)).toBe('<div>\n<pre>one\n  two</pre>\n</div>');
});

test('keeps nested html, joins lists, and omits undefined and false', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
  expect(render(html`${items}${undefined}${false}${3}`)).toBe('<li>a</li><li>&lt;b&gt;</li>3');
});

test('does not trust a foreign object that looks like Html', () => {
  const forged = JSON.parse('{"markup":"<script>"}') as never;
  expect(() => render(html`<p>${forged}</p>`)).toThrow(TypeError);
});
