import { access, mkdir, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { FileError, locateFile } from '@tallyport/wire/yaml';
import type { Draft } from './draft.ts';
import { readKnownModels } from './known-models.ts';
import type { Path } from './left-over.ts';
import { importKeys } from './litellm/keys/import-keys.ts';
import { importLitellm } from './litellm/litellm.ts';
import { importPortkey } from './portkey/portkey.ts';
import { readSource } from './read-source.ts';
import { reportOf } from './report.ts';
import { filesOf } from './write-draft.ts';

const importUsage = `Usage: npm run import -- litellm config.yaml [options]
       npm run import -- portkey config.json [options]

  --keys FILE  keys, teams and budgets from LiteLLM's database: a dump (.sql), rows as .json or .csv; may be repeated
  --to FOLDER  where gateway.yaml and tallyport.yaml are written; this folder by default
`;

interface Surroundings {
  out(text: string): void;
  problem(text: string): void;
  environment: Readonly<Record<string, string | undefined>>;
}

const sources = ['litellm', 'portkey'] as const;

interface Options {
  from: (typeof sources)[number];
  file: string;
  keys: readonly string[];
  to: string;
}

/** `npm run import -- litellm config.yaml …`: writes the files, prints what they lack and returns the exit code. */
export async function importCommand(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const options = readOptions(words);
  if (typeof options === 'string') {
    surroundings.problem(`${options}\n\n${importUsage}`);
    return 1;
  }
  try {
    surroundings.out(await run(options, surroundings));
    return 0;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    surroundings.problem(`${error.message}\n`);
    return 1;
  }
}

function readOptions(words: readonly string[]): Options | string {
  const parsed = parse(words);
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  const [from, file, ...rest] = positionals;
  const source = sources.find((each) => each === from);
  if (source === undefined || file === undefined || rest.length > 0) return 'Name the gateway and its file.';
  if (source === 'portkey' && values.keys.length > 0) return '--keys is for LiteLLM: Portkey does not export keys.';
  return { from: source, file, keys: values.keys, to: values.to };
}

function parse(words: readonly string[]) {
  const options = {
    keys: { type: 'string', multiple: true, default: [] as string[] },
    to: { type: 'string', default: '.' },
  } as const;
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

const mostConfigBytes = 1_000_000;

async function run({ from, file, keys, to }: Options, { environment }: Surroundings): Promise<string> {
  const { value, lineOf } = locateFile(file, await readSource(file, mostConfigBytes));
  const known = await readKnownModels();
  const draft =
    from === 'litellm'
      ? importLitellm(value, { known, environment })
      : importPortkey(value, { known, name: basename(file, extname(file)) });
  await importKeys(keys, draft);
  const written = await writeFiles(draft, basename(file), to);
  return reportOf(draft, written, (path) => placeIn(file, path, lineOf));
}

/** Rows of a dump have no line: their place begins with the name of their table. */
function placeIn(file: string, path: Path, lineOf: (path: Path) => number): string {
  const [first] = path;
  const name = path.join('.');
  return typeof first === 'string' && first.startsWith('LiteLLM_') ? name : `${file}:${lineOf(path)} ${name}`;
}

async function writeFiles(draft: Draft, source: string, folder: string): Promise<string[]> {
  const files = [...filesOf(draft, source)].map(([name, text]) => ({ path: join(folder, name), text }));
  const existing = await Promise.all(files.map(async ({ path }) => ((await exists(path)) ? path : [])));
  const [found] = existing.flat();
  if (found !== undefined) throw new FileError([`${found} exists. Name another folder with --to.`]);
  await mkdir(folder, { recursive: true });
  for (const { path, text } of files) await writeFile(path, text, { flag: 'wx' });
  return files.map(({ path }) => path);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
