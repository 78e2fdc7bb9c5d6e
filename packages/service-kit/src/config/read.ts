import type { ConfigSources } from './config-sources.ts';
import { editDistance, nearest } from './nearest.ts';
import { retiredSettings } from './retired-settings.ts';
import { namedByFile, settingText, givenText } from './setting-text.ts';
import type { ConfigOf, Setting, Settings } from './setting.ts';

/** All problems of the configuration: one sentence each, starting with the key. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the settings into a frozen, typed object. Throws a ConfigError with all problems at once. */
export function readConfig<Definition extends Settings>(
  settings: Definition,
  sources: ConfigSources,
): ConfigOf<Definition>;
export function readConfig(settings: Settings, sources: ConfigSources): Readonly<Record<string, unknown>> {
  const problems = [...retiredNames(sources), ...unknownNames(settings, sources)];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const given = settingText(name, setting, sources);
    if ('problem' in given) {
      problems.push(given.problem);
      continue;
    }
    const text = given.text ?? setting.default;
    const parsed = setting.schema.safeParse(text);
    if (parsed.success) values[name] = deepFreeze(parsed.data);
    else problems.push(problemOf(name, text, { setting, message: parsed.error.issues[0]?.message ?? 'is wrong' }));
  }
  for (const [name, setting] of Object.entries(settings)) {
    const contradiction = name in values ? setting.contradiction?.(values) : undefined;
    if (contradiction !== undefined) problems.push(`${name}: ${contradiction}.`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(values);
}

function problemOf(name: string, text: string | undefined, fault: { setting: Setting; message: string }): string {
  const { setting, message } = fault;
  if (text === undefined) return `${name}: is required. ${setting.description}`;
  return `${name}: ${message}${setting.secret ? '' : `, but is ${JSON.stringify(text.slice(0, 100))}`}.`;
}

const retiredNames = (sources: ConfigSources): string[] =>
  Object.keys({ ...sources.file, ...sources.environment })
    .filter((name) => isRetired(name) && givenText(name, sources) !== undefined)
    .map((name) => `${name}: is no longer a setting; ${retiredSettings[name]}.`);

const isRetired = (name: string): boolean => Object.hasOwn(retiredSettings, name);

/**
 * Misspelt names are recognised in our file and under our prefix. Elsewhere in the environment they may belong to other
 * programs.
 */
function unknownNames(settings: Settings, { environment, file = {}, known }: ConfigSources): string[] {
  const names = new Set([...Object.keys(settings), ...(known ?? [])]);
  const unknown = (name: string) => !names.has(name) && !names.has(namedByFile(name) ?? '') && !isRetired(name);
  const misspelt = (name: string) => unknown(name) && !isReferredVariable(name) && !isVendorVariable(name, names);
  const inFile = known === undefined ? [] : Object.keys(file).filter((name) => !/^(COMPOSE|TEST)_/.test(name));
  const ours = Object.keys(environment).filter(
    (name) => name.startsWith('TALLYPORT_') && !clientVariables.has(name) && !isServiceLink(name),
  );
  return [
    ...inFile.filter(misspelt).map((name) => `${name} in .env: ${noSuchSetting(name, names)}`),
    ...ours.filter(unknown).map((name) => `${name}: ${noSuchSetting(name, names)}`),
  ];
}

/** Documents ask clients to export these variables. The shell that starts a service may have them, too. */
const clientVariables: ReadonlySet<string> = new Set([
  'TALLYPORT_API_KEY',
  'TALLYPORT_AUTH',
  'TALLYPORT_KEY', // `TALLYPORT_API_KEY` in earlier documents.
  'TALLYPORT_TOKEN_FILE',
  'TALLYPORT_URL',
]);

/** Whether a document of the operator may refer to the variable as the place of a secret. */
const isReferredVariable = (name: string): boolean => name.startsWith('IDENTITY_SECRET_');

/** Whether the name may belong to a provider that an operator added: it is not close to a known name. */
function isVendorVariable(name: string, names: ReadonlySet<string>): boolean {
  const stem = /^([A-Z][A-Z0-9_]*?)_(API_KEY|BASE_URL)$/.exec(name)?.[1];
  if (stem === undefined) return false;
  return ![...names].some((known) => editDistance(known, name) <= (stem.length < 5 ? 1 : 2));
}

function noSuchSetting(name: string, names: Iterable<string>): string {
  const meant = nearest(name.replace(/^TALLYPORT_/, ''), names);
  return `unknown setting${meant === undefined ? '.' : `; did you mean ${meant}?`}`;
}

/** Kubernetes adds these variables to every pod in the namespace of a service named `tallyport…`. */
function isServiceLink(name: string): boolean {
  return /_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/.test(name);
}

function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
