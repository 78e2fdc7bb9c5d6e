/**
 * The most common entries in lists of stolen passwords, and rows of keyboards. Each is a single guess, whatever its
 * length.
 */
const common = [
  'administrator|administrateur|tallyport|changeme|changeit|letmein|iloveyou|password|passwort|passwd|motdepasse|contrasena',
  'welcome|willkommen|bienvenue|football|baseball|basketball|superman|batman|princess|sunshine|starwars|whatever|trustno',
  'dragon|monkey|shadow|master|michael|jennifer|jordan|charlie|daniel|computer|internet|samsung|google|freedom|secret',
  'summer|winter|spring|autumn|sommer|herbst|january|february|march|april|june|july|august|september|october|november|december',
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|default|example|testing|test|guest|admin|root|user|login|access',
  'qwertyuiop|qwertzuiop|azertyuiop|qwerty|qwertz|azerty|asdfghjkl|asdfgh|asdf|zxcvbnm|yxcvbnm|zxcvbn|zxcv|qazwsx',
  '1qaz2wsx3edc4rfv|1qaz2wsx3edc|1qaz2wsx|q1w2e3r4t5|1q2w3e4r5t|1q2w3e4r|qwer|hello|love|baby|angel',
].join('|');

const commonWords = new RegExp(common, 'g');
const years = /(19|20)\d\d/g;
const leetLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '@': 'a',
  $: 's',
};

/** The number of different characters that must remain after removing what is guessed first. */
const minDifferent = 5;

/**
 * Whether an attacker who knows common choices would soon guess the password. Pure, and fast for any text of bounded
 * length.
 */
export function isGuessable(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const unleeted = text.replace(/[01345@$]/g, (sign) => leetLetters[sign] ?? sign);
  return [text, unleeted].some((variant) => differentIn(variant) < minDifferent);
}

/** Counts different letters and digits outside of common words, years, and runs such as `aaaa`, `abcd` and `4321`. */
function differentIn(text: string): number {
  const characters = [...text.replace(commonWords, ' ').replace(years, ' ')];
  const codes = characters.map((character) => character.codePointAt(0) ?? 0);
  const inRun = (index: number): boolean =>
    [index - 3, index - 2, index - 1, index].some((start) => isRun(codes, start));
  return new Set(characters.filter((character, index) => !inRun(index) && /[\p{L}\p{N}]/u.test(character))).size;
}

/** Whether four characters are equal or consecutive. Runs of three occur in ordinary words (`first`). */
function isRun(codes: readonly number[], start: number): boolean {
  const run = codes.slice(Math.max(0, start), start + runLength);
  const [first, second] = run;
  if (start < 0 || run.length < runLength || first === undefined || second === undefined) return false;
  const step = second - first;
  return Math.abs(step) <= 1 && run.every((code, index) => code === first + step * index);
}

const runLength = 4;
