import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { serviceEnvironment, serviceFlags } from '../../scripts/launch/node-flags.mjs';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ');
const stages = dockerfile.split(/^(?=FROM )/m);
const last = stages.at(-1) ?? '';

test('the final image has no shell and does not run as root', () => {
  expect(/^ARG RUN_IMAGE=(.*)$/m.exec(dockerfile)?.[1]).toMatch(/^gcr\.io\/distroless\/[a-z0-9-]+:nonroot$/);
  expect(last).toMatch(/^FROM \$\{RUN_IMAGE\}$/m);
  expect(last.match(/^USER .*$/gm)).toEqual(['USER 65532:65532']);
  // The last stage has no shell to run commands; it only copies from the first stage.
  expect(last).not.toMatch(/^(RUN|ADD) /m);
  expect(last.match(/^COPY (?!--from=build ).*$/gm)).toBeNull();
});

test('dependencies run no install scripts and have checksums', () => {
  const installs = dockerfile.match(/\b(npm ci|pnpm fetch|pnpm install)\b[^&;]*/g) ?? [];
  expect(installs).toHaveLength(3);
  expect(installs.filter((install) => !install.includes('--ignore-scripts'))).toEqual([]);
  const packages = z.record(z.string(), z.object({ resolution: z.object({ integrity: z.string().optional() }) }));
  const lock = z.object({ packages }).parse(parse(read('pnpm-lock.yaml')));
  const without = Object.entries(lock.packages).filter(([, { resolution }]) => resolution.integrity === undefined);
  expect(without.map(([name]) => name)).toEqual([]);
});

test('the image is built and run with the flags and settings of all services', () => {
  const flags = dockerfile.matchAll(/NODE_OPTIONS='([^']*)'/g).map(([, found]) => found);
  expect([...flags]).toEqual([serviceFlags.join(' '), serviceFlags.join(' ')]);
  const set = Object.entries(serviceEnvironment).map(([name, value]) => `${name}=${value}`);
  expect(set.filter((each) => !last.includes(` ${each} `))).toEqual([]);
});
