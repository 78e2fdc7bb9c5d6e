/** The variable to which `os.environ/NAME` refers. */
export const variableIn = (text: string): string | undefined =>
  /^os\.environ\/([A-Za-z_][A-Za-z0-9_]{0,199})$/.exec(text)?.[1];
