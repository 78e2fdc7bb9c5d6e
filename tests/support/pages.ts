import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Where pictures of the pages go, for the documents: `PAGE_PICTURES=docs/images`. */
const pictures = process.env['PAGE_PICTURES'];

export const schemes = ['light', 'dark'] as const;

/** What axe finds wrong with a page. Our policy allows no scripts: open the page with `bypassCSP`. All its rules are asked, or those named. */
export async function complaints(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.addScriptTag({ path: axe });
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify({ runOnly: rules })})`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Both in light and in dark colours, where pictures are wanted. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ fullPage: true, path: `${pictures}/${name}-${colorScheme}.png` });
  }
}
