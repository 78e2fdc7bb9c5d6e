/** One line for people: what was measured, and against which goal. */
export function tell(measure: string, value: string, ...[goal, met]: [] | [goal: string, met: boolean]): void {
  console.log(
    `${measure.padEnd(56)} ${value.padEnd(16)} ${goal === undefined ? '' : `${goal}  ${met ? 'met' : 'MISSED'}`}`,
  );
}
