import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { readAll, type Source } from './sources.ts';

const folder = 'packages/pages/src/assets/style/';
const styles = readAll(`${folder}**/*.css`);
const isOfPages = ({ path }: Source): boolean => path.startsWith(`${folder}pages/`);

/** The selectors of a style file, without those of pseudo-classes such as `:is`. */
const selectorsOf = ({ text }: Source): string[] =>
  [...text.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{/g)]
    .map(([, selectors = '']) => selectors.trim())
    .filter((selectors) => !selectors.startsWith('@'))
    .flatMap((selectors) => selectors.split(/,(?![^(]*\))/));

const classesIn = (selector: string): string[] =>
  [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name);

const usedIn = (style: Source): Set<string> => new Set(selectorsOf(style).flatMap(classesIn));

/** The classes with which selectors begin: what a file styles wherever it is. */
const leadingIn = (style: Source): string[] =>
  selectorsOf(style).flatMap((selector) => classesIn(selector.trim().split(/[\s>+~]+/)[0] ?? ''));

test('the styles of a page use no class of the styles of another page', () => {
  const common = new Set(styles.filter((style) => !isOfPages(style)).flatMap((style) => [...usedIn(style)]));
  const problems = styles.filter(isOfPages).flatMap((page) => {
    const own = new Set(leadingIn(page).filter((name) => !common.has(name)));
    return styles
      .filter((other) => other !== page)
      .flatMap((other) =>
        [...usedIn(other)]
          .filter((name) => own.has(name))
          .map((name) => `${posix.basename(other.path)} uses .${name} of ${posix.basename(page.path)}`),
      );
  });
  expect(problems, 'Choose another name, or move the class to a file outside of pages/.').toEqual([]);
});

test('every style file is a part of style.css', () => {
  const parts = readAll('packages/pages/src/assets.ts').flatMap(({ text }) =>
    text.match(/(?<=^ {2}')[\w/-]+(?=',$)/gm),
  );
  const files = styles.map(({ path }) => path.slice(folder.length).replace('.css', ''));
  expect(files.filter((file) => !parts.includes(file))).toEqual([]);
});
