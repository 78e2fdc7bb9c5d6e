import type { ConfigSources } from './config-sources.ts';
import type { Settings } from './setting.ts';

/**
 * A sentence for each variable that is named almost like the key of a provider, for example `OPENAI_APIKEY`. It may belong
 * to another program, so it is no error.
 */
export function misnamedKeys(settings: Settings, environment: ConfigSources['environment']): string[] {
  const keys = new Map(
    Object.keys(settings).flatMap((name) => (name.endsWith('_API_KEY') ? [[stemOf(name), name]] : [])),
  );
  return Object.keys(environment).flatMap((name) => {
    const meant = keys.get(stemOf(name));
    const isMisnamed = meant !== undefined && !(name in settings) && environment[meant] === undefined;
    return isMisnamed ? [`${name} is not a setting: the key is read from ${meant}`] : [];
  });
}

/** What a name says before `API_KEY`, `APIKEY`, `KEY` and the like, without underscores; undefined for other names. */
function stemOf(name: string): string | undefined {
  return /^(.+?)(API)?KEYS?$/.exec(name.toUpperCase().replaceAll('_', ''))?.[1];
}
