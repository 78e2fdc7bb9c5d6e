const hourMs = 3_600_000;

/** How long something took, in whole hours: `1 hour`. */
export function lasted(from: string, to: string): string {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / hourMs);
  return count === 1 ? '1 hour' : `${count} hours`;
}
