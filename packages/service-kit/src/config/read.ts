import type { ConfigSources } from './config-sources.ts';
import { editDistance, nearest } from './nearest.ts';
import { namedByFile, settingText } from './setting-text.ts';
import type { ConfigOf, Setting, Settings } from './setting.ts';

/** Everything that is wrong with the configuration, one sentence each, naming the key. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Environment and file to a frozen, typed object. Throws ConfigError with all problems at once. */
export function readConfig<Definition extends Settings>(
  settings: Definition,
  sources: ConfigSources,
): ConfigOf<Definition>;
export function readConfig(settings: Settings, sources: ConfigSources): Readonly<Record<string, unknown>> {
  const problems = unknownNames(settings, sources);
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
  if (text === undefined) return `${name}: is needed. ${setting.description}`;
  return `${name}: ${message}${setting.secret ? '' : `, but is ${JSON.stringify(text.slice(0, 100))}`}.`;
}

/** A misspelt name in the real environment cannot be told from a foreign one; in our file and under our own prefix it can. */
function unknownNames(settings: Settings, { environment, file = {}, known }: ConfigSources): string[] {
  const names = new Set([...Object.keys(settings), ...(known ?? [])]);
  const unknown = (name: string) => !names.has(name) && !names.has(namedByFile(name) ?? '');
  const misspelt = (name: string) => unknown(name) && !isVendorVariable(name, names);
  const inFile = known === undefined ? [] : Object.keys(file).filter((name) => !/^(COMPOSE|TEST)_/.test(name));
  const ours = Object.keys(environment).filter((name) => name.startsWith('SWITCHYARD_') && !isServiceLink(name));
  return [
    ...inFile.filter(misspelt).map((name) => `${name} in .env: ${noSuchSetting(name, names)}`),
    ...ours.filter(unknown).map((name) => `${name}: ${noSuchSetting(name, names)}`),
  ];
}

/** An operator may add providers, and names their variables: any that is not nearly one of ours. */
function isVendorVariable(name: string, names: ReadonlySet<string>): boolean {
  const stem = /^([A-Z][A-Z0-9_]*?)_(API_KEY|BASE_URL)$/.exec(name)?.[1];
  if (stem === undefined) return false;
  return ![...names].some((known) => editDistance(known, name) <= (stem.length < 5 ? 1 : 2));
}

function noSuchSetting(name: string, names: Iterable<string>): string {
  const meant = nearest(name.replace(/^SWITCHYARD_/, ''), names);
  return `there is no such setting${meant === undefined ? '.' : `; did you mean ${meant}?`}`;
}

/** Kubernetes puts such variables into every pod beside a service named `switchyard…`. */
function isServiceLink(name: string): boolean {
  return /_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/.test(name);
}

function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
