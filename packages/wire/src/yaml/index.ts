export { FileError, type FileProblem, type LocatedFile, locateFile, unreadableFile } from './located-file.ts';
export { type LocatedYaml, readYaml, YamlError } from './read-yaml.ts';
