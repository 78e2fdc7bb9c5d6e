/** Portions that must bring no improvement before the costs count as steady. */
const portions = 4;
/** A smaller improvement is noise. */
const noise = 0.02;

/**
 * Returns whether the costs of equal portions of work have stopped falling. A system without processes of its own, whose
 * costs are NaN, is steady after one portion.
 */
export function isSteady(costs: readonly number[]): boolean {
  if (costs.some(Number.isNaN)) return true;
  if (costs.length <= portions) return false;
  const before = Math.min(...costs.slice(0, -portions));
  return Math.min(...costs.slice(-portions)) > before * (1 - noise);
}
