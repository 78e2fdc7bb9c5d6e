const code = /^```sh\n([^]*?)\n```$|`([^`\n]+)`/gm;
const program = /^(?:[A-Z_]+=\S+ )*(?:npm|npx|node|curl|docker|kubectl|helm) /;

/** The blocks for a shell, and code in sentences that starts with the name of a program, in their order. */
export const commandsOf = (text: string): string[] =>
  [...text.matchAll(code)].flatMap(
    ([, block, inSentence = '']) => block ?? (program.test(inSentence) ? inSentence : []),
  );
