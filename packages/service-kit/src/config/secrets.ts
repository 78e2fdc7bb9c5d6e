import type { Settings } from './setting.ts';

/** The secret values of a configuration, which the log redacts. */
export function secretsOf(settings: Settings, config: object): string[] {
  return Object.entries(config)
    .filter(([name]) => settings[name]?.secret === true)
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value) => typeof value === 'string');
}
