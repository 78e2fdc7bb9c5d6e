import { oneProcessEnvironment, serviceFlags } from './node-flags.mjs';

/** The Node arguments of each `npm run` command. Paths are relative to the repository's root. */
export const commands = {
  agents: ['tests/agents/main.ts'],
  apply: ['scripts/apply.ts'],
  bench: ['bench/main.ts'],
  catalog: ['services/catalog-svc/src/catalog.ts'],
  check: ['scripts/check.ts'],
  demo: ['scripts/demo.ts'],
  'demo-data': ['services/ledger-svc/src/commands/demo-data.ts'],
  dev: [...serviceFlags, '--watch', 'services/all-in-one/src/main.ts'],
  distributed: ['scripts/distributed.ts'],
  docs: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'structure', '--update'],
  format: ['node_modules/oxfmt/bin/oxfmt'],
  fuzz: ['tests/shapes/fuzz.ts'],
  import: ['scripts/import.ts'],
  key: ['services/auth-svc/src/commands/key.ts'],
  mutate: ['scripts/mutate.ts'],
  pictures: ['tests/dashboard/pictures.ts'],
  recalculate: ['services/ledger-svc/src/commands/recalculate.ts'],
  reconcile: ['services/ledger-svc/src/commands/reconcile.ts'],
  release: ['scripts/release.ts'],
  routes: ['scripts/routes.ts'],
  secrets: ['services/auth-svc/src/commands/secrets.ts'],
  soak: ['tests/money/soak/main.ts'],
  start: [...serviceFlags, 'services/all-in-one/src/main.ts'],
  test: ['scripts/test.ts'],
  'test:ci': ['scripts/test.ts', '--ci'],
  'test:long': ['scripts/test.ts', '--long'],
  'test:unit': ['scripts/test.ts', '--project', 'unit'],
  texts: ['scripts/texts.ts'],
  user: ['services/auth-svc/src/commands/user.ts'],
  'verify:deploy': ['scripts/test.ts', 'tests/deploy', 'tests/observability/rules.test.ts'],
};

/**
 * The dependencies that a command needs. Programs of services run with those that their images have; a first `npm start`
 * installs a fourth of all dependencies.
 */
export const dependenciesOf = (command) =>
  commands[command].some((argument) => argument.startsWith('services/')) ? 'production' : 'all';

/** The environment that a command adds to its own. */
export const environmentOf = (command) =>
  commands[command].includes('services/all-in-one/src/main.ts') ? oneProcessEnvironment : {};
