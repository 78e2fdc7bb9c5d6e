/** Prints one line with a measurement and, if given, its goal. */
export function printMeasure(measure: string, value: string, ...[goal, met]: [] | [goal: string, met: boolean]): void {
  console.log(
    `${measure.padEnd(56)} ${value.padEnd(16)} ${goal === undefined ? '' : `${goal}  ${met ? 'met' : 'MISSED'}`}`,
  );
}
