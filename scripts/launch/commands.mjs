import { allInOneFlags } from './node-flags.mjs';

/** What each `npm run` command starts, once Node and the dependencies are in place. Paths are from the repository's root. */
export const commands = {
  bench: ['bench/main.ts'],
  catalog: ['services/catalog-svc/src/catalog.ts'],
  check: ['scripts/check.ts'],
  dev: [...allInOneFlags, '--watch', 'services/all-in-one/src/main.ts'],
  distributed: ['scripts/distributed.ts'],
  docs: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'structure', '--update'],
  format: ['node_modules/oxfmt/bin/oxfmt'],
  key: ['services/auth-svc/src/commands/key.ts'],
  secrets: ['services/auth-svc/src/commands/secrets.ts'],
  soak: ['tests/money/soak.ts'],
  start: [...allInOneFlags, 'services/all-in-one/src/main.ts'],
  test: ['scripts/test.ts'],
  user: ['services/auth-svc/src/commands/user.ts'],
};
