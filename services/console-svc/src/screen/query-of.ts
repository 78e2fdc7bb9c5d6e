/** The parameters of an address. Those that are absent are left out. */
export const queryOf = (values: object): URLSearchParams =>
  new URLSearchParams(Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined));
