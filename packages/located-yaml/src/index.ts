export { type LocatedYaml, readYaml, YamlError } from './read-yaml.ts';
