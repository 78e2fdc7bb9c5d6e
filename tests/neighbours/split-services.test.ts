import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { type Installation, startSplitInstallation } from './installation.ts';
import { neighboursSuite } from './neighbours.suite.ts';

const warmUpMs = 2_000;

let installation: Installation;
beforeAll(async () => {
  installation = await startSplitInstallation();
  await installation.neighbour.during(() => pause(warmUpMs));
});
afterAll(() => installation?.stop());

neighboursSuite(() => installation);
