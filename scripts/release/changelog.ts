/** The text of a section of the second level, without its title. */
export function sectionOf(changelog: string, title: string): string {
  const [, section] =
    new RegExp(`^## ${title.replaceAll('.', '\\.')}(?: \\([^)]*\\))?\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(
      changelog,
    ) ?? [];
  if (section === undefined)
    throw new Error(`CHANGELOG.md has no section "${title}". Add one that names what changed.`);
  return section.trim();
}

/** What an operator must read before an upgrade; empty if there is nothing. */
export const upgradeNotes = (section: string): string =>
  /^### Before you upgrade\n([\s\S]*?)(?=^### |(?![\s\S]))/m.exec(section)?.[1]?.trim() ?? '';

/** The changelog with the unreleased changes under a version, and an empty section for the next ones. */
export const released = (changelog: string, version: string, day: string): string =>
  changelog.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version} (${day})\n`);
