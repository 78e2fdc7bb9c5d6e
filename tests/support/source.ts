export type Source = 'container' | 'program' | 'package' | 'nothing';

/** The available sources of one server. */
interface AvailableSources {
  docker: boolean;
  programs: boolean;
  packages: boolean;
}

/**
 * Prefers Docker, with pinned versions, then installed programs, then packages. A given URL takes precedence over all.
 */
export function chooseSource({ docker, programs, packages }: AvailableSources): Source {
  if (docker) return 'container';
  if (programs) return 'program';
  return packages ? 'package' : 'nothing';
}
