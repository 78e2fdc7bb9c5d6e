import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** The folder for screenshots of the pages: `PAGE_PICTURES=docs/images`. */
const pictures = process.env['PAGE_PICTURES'];

export const schemes = ['light', 'dark'] as const;

/**
 * The violations that axe finds in a page, by all its rules or the given ones. Open the page with `bypassCSP`, because
 * the content security policy allows no scripts.
 */
export async function complaints(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.addScriptTag({ path: axe });
  const options = { runOnly: rules, resultTypes: ['violations'] };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Takes a screenshot in light and in dark colours, if screenshots are enabled. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ fullPage: true, path: `${pictures}/${name}-${colorScheme}.png` });
  }
}
