import type { Settings } from './setting.ts';

/** The values that must never be shown, for the log to take out wherever they turn up. */
export function secretsOf(settings: Settings, config: object): string[] {
  return Object.entries(config)
    .filter(([name]) => settings[name]?.secret === true)
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value) => typeof value === 'string');
}
