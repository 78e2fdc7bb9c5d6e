import { findPrograms } from './programs.ts';

interface ProgramPackage {
  /** The first one that is installed is used. */
  names: readonly string[];
  aptPackage: string;
}

/** Programs that tests start beside NATS, Redis and Postgres. */
const programs = {
  chromium: {
    // The first one has no windows, and takes half of the processor time for a page.
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    aptPackage: 'chromium-headless-shell',
  },
  openssl: { names: ['openssl'], aptPackage: 'openssl' },
  pgbouncer: { names: ['pgbouncer'], aptPackage: 'pgbouncer' },
  prometheus: { names: ['prometheus'], aptPackage: 'prometheus' },
  promtool: { names: ['promtool'], aptPackage: 'prometheus' },
} as const satisfies Readonly<Record<string, ProgramPackage>>;

/** The path of an installed program. Tests never install one: `npm test` does so before the first test. */
export async function testProgram(name: keyof typeof programs): Promise<string> {
  const path = await pathOf(programs[name]);
  if (path !== undefined) return path;
  throw new Error(
    `This test needs ${name}. On Debian, as root, \`npm test\` installs it; elsewhere install it yourself.`,
  );
}

/** The Debian packages of the programs that are missing. */
export async function missingPackages(): Promise<string[]> {
  const missing = await Promise.all(Object.values(programs).map(async (each) => ((await pathOf(each)) ? [] : [each])));
  return [...new Set(missing.flat().map(({ aptPackage }) => aptPackage))];
}

async function pathOf({ names }: ProgramPackage): Promise<string | undefined> {
  for (const name of names) {
    const [path] = (await findPrograms([name])) ?? [];
    if (path !== undefined) return path;
  }
  return undefined;
}
