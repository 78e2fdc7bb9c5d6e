export { FileError, type FileProblem, locateFile, unreadableFile } from './located-file.ts';
export { readYaml } from './read-yaml.ts';
