export type Source = 'container' | 'program' | 'package' | 'nothing';

/** What this machine has to offer for one server. */
export interface Offered {
  docker: boolean;
  programs: boolean;
  packages: boolean;
}

/** Docker first, since its versions are ours; then what is there; then what can be had. A given URL comes before all. */
export function chooseSource({ docker, programs, packages }: Offered): Source {
  if (docker) return 'container';
  if (programs) return 'program';
  return packages ? 'package' : 'nothing';
}
