import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { mechanisms } from './mechanisms.ts';
import { drawCurves } from './picture.ts';
import type { Results } from './report.ts';
import { type Curve, curveOf } from './run.ts';

// `node bench/scale/draw.ts results.json… --before results.json`: draws the loads of results of `main.ts` into docs/images.
// Of a mechanism that several results have, the last counts.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { before: { type: 'string', multiple: true, default: [] } },
});

async function curvesIn(paths: readonly string[]): Promise<Curve[]> {
  const byName = new Map<string, Curve>();
  for (const path of paths) {
    const { curves }: Results = JSON.parse(await readFile(path, 'utf8'));
    for (const curve of curves) byName.set(curve.name, curve);
  }
  return [...byName.values()];
}

// What a second has of them follows from the code of today.
const now = (await curvesIn(positionals)).flatMap(({ name, points }) =>
  mechanisms.filter((each) => each.name === name).map((mechanism) => curveOf(mechanism, points)),
);
const before = (await curvesIn(values.before)).map((curve) => ({
  ...curve,
  title: `${now.find(({ name }) => name === curve.name)?.title ?? curve.title}, before`,
}));
const all = [...now, ...before];
const pictures = {
  'scale-redis': { title: 'Cores of Redis by the size of a gateway', curves: all.filter(isAtRedis) },
  'scale-others': {
    title: 'Cores of NATS and Postgres by the size of a gateway',
    curves: all.filter((curve) => !isAtRedis(curve)),
  },
};
for (const [name, picture] of Object.entries(pictures))
  await writeFile(new URL(`../../docs/images/${name}.svg`, import.meta.url), drawCurves(picture));

function isAtRedis({ payer }: Curve): boolean {
  return payer === 'Redis';
}
