import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { released, sectionOf, upgradeNotes } from './release/changelog.ts';
import { releaseFiles } from './release/files.ts';
import { installNode } from './release/notices.ts';
import { publishedChart } from './release/published-chart.ts';
import { currentVersion, git, lastCommit, pathOf, read, versionedFiles } from './release/repository.ts';
import { nextVersion, withVersion } from './release/version.ts';

const usage = `npm run release -- --dry-run                 shows the next release and changes nothing
npm run release -- --set-version 0.2.0       writes the version into all files and the changelog
npm run release -- --output dist             writes the files of the release of this commit
  --registry registry.example.com/team --source https://git.example.com/team/tallyport
                                             and the chart with the images in this registry`;

const sbomSchema = z.object({ components: z.array(z.object({ purl: z.string().optional() })) });

const { values: options } = parseArgs({
  options: {
    'dry-run': { type: 'boolean' },
    'set-version': { type: 'string' },
    output: { type: 'string' },
    builder: { type: 'string', default: 'by hand' },
    registry: { type: 'string' },
    source: { type: 'string' },
  },
});

if (options['dry-run'] || options.output !== undefined) await installNode();

if (options['dry-run']) show();
else if (options['set-version'] !== undefined) setVersion(options['set-version']);
else if (options.output !== undefined) write(options.output);
else {
  console.error(usage);
  process.exitCode = 1;
}

/** Prints what the release of the unreleased changes would contain, as of the last commit. */
function show(): void {
  const section = sectionOf(read('CHANGELOG.md'), 'Unreleased');
  const version = nextVersion(currentVersion(), section);
  const files = releaseFiles({
    version,
    section: 'Unreleased',
    builder: options.builder,
    startedOn: new Date(),
    commit: lastCommit(version),
  });
  const provenance = String(files.get('provenance.json'));
  console.log(`# Version\n\n${version} (now ${currentVersion()})\n\n# Changelog\n\n${section}\n`);
  console.log(`# Upgrade notes\n\n${upgradeNotes(section) || 'None.'}\n\n# Files\n`);
  for (const [name, content] of files) console.log(`${name}${summaryOf(name, String(content))}`);
  console.log(`\n# Provenance\n\n${provenance}`);
}

function summaryOf(name: string, content: string): string {
  if (!name.endsWith('.cdx.json')) return '';
  const { components } = sbomSchema.parse(JSON.parse(content));
  const foreign = components.filter(({ purl }) => purl !== undefined).length;
  return `: ${foreign} packages of others, ${components.length - foreign} of ours`;
}

function setVersion(version: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`"${version}" is no version. Give three numbers, as in 0.2.0.`);
  for (const path of versionedFiles()) writeFileSync(pathOf(path), withVersion(path, read(path), version));
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(pathOf('CHANGELOG.md'), released(read('CHANGELOG.md'), version, day));
  console.log(`Read the changes, then:\n  git commit --all --message "release: ${version}" && git tag v${version}`);
}

/** Writes the release of the last commit, which must have the version in its changelog and nothing uncommitted. */
function write(folder: string): void {
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`Commit these changes first:\n${changed}`);
  const version = currentVersion();
  const files = releaseFiles({
    version,
    section: version,
    builder: options.builder,
    startedOn: new Date(),
    commit: lastCommit(version),
  });
  const all = new Map([...files, ...chartFiles(version)]);
  for (const [name, content] of all) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  console.log(`${all.size} files are in ${folder}. The steps to publish them are in docs/releases.md.`);
}

/** The chart in a folder of its own; nothing without the addresses that it names. */
function chartFiles(version: string): readonly (readonly [string, string])[] {
  const { registry, source } = options;
  if (registry === undefined || source === undefined) return [];
  const chart = publishedChart({ version, section: sectionOf(read('CHANGELOG.md'), version), registry, source });
  return [...chart].map(([path, content]) => [`chart/${path}`, content]);
}
