import { matchesIn, type Match, placeholder, type TimedRedaction, withoutOverlaps } from './redact.ts';
import { blocked } from './tally.ts';
import type { TextRules } from './text-rules.ts';

/**
 * How many characters that were sent stay known, so that a longer match than the ones held back is found when it goes on:
 * a private key, for example.
 */
const rememberedCharacters = 4096;

export interface HeldTextOptions extends TimedRedaction {
  check: Pick<TextRules, 'holdBack' | 'onTimeout' | 'rules'>;
  /** Absent if the text is sent as it is. */
  notation?: Notation;
}

/** How a text is written where it is sent. */
export interface Notation {
  /** The next characters of the text, as they arrived. */
  take(characters: number): string;
  /** Another text in their place. */
  write(text: string): string;
}

/**
 * One text of a streamed answer. Holds back its end, at most `holdBack` characters, so that a match is found before its
 * beginning is sent. To search less often, three quarters of them stay when the others are sent: a match up to that
 * length is never sent in part.
 */
export class HeldText {
  readonly #options: HeldTextOptions;
  readonly #keep: number;
  /** What was sent last, and what is held. */
  #known = '';
  #sent = 0;
  /** The text before `sent` ended with a placeholder for a match that may go on. */
  #isOpen = false;
  /** A match went on beyond what stays known: where it ends cannot be found any more. */
  #isEndless = false;

  constructor(options: HeldTextOptions) {
    this.#options = options;
    this.#keep = Math.floor((options.check.holdBack * 3) / 4);
  }

  /** Returns the text that can be sent now. Throws `guardrail_blocked`. */
  push(text: string): string {
    this.#known += text;
    if (this.#isEndless) return this.#drop();
    return this.#known.length - this.#sent > this.#options.check.holdBack ? this.#release(false) : '';
  }

  /** Returns what is left, if another text follows. This one may go on after that. Throws like `push`. */
  end(): string {
    if (this.#sent === this.#known.length) return '';
    return this.#isEndless ? this.#drop() : this.#release(true);
  }

  #release(isEnd: boolean): string {
    const matches = matchesIn(this.#known, this.#options.check, this.#options).filter(({ end }) => end > this.#sent);
    this.#block(matches, isEnd);
    const { cut, redacted } = this.#redactUpTo(matches, isEnd);
    const output = this.#write(redacted, cut);
    this.#forget(redacted.at(-1));
    return output;
  }

  #drop(): string {
    this.#take(this.#known.length);
    this.#forget(undefined);
    return '';
  }

  #block(matches: readonly Match[], isEnd: boolean): void {
    const blocking = matches.find((match) => match.rule.action === 'block' && (isEnd || this.#isFinal(match)));
    if (blocking === undefined) return;
    const { tally, part } = this.#options;
    tally.add(blocking.rule.name, 'block');
    throw blocked(blocking.rule.name, part);
  }

  /** A match at the end of the text may still change, unless it is longer than what can be held. */
  #isFinal({ start, end }: Match): boolean {
    const length = this.#known.length;
    return end < length || length - Math.max(start, this.#sent) >= this.#options.check.holdBack;
  }

  #redactUpTo(matches: readonly Match[], isEnd: boolean): { cut: number; redacted: Match[] } {
    const length = this.#known.length;
    let cut = isEnd ? length : Math.max(this.#sent, wholeCharacter(this.#known, length - this.#keep));
    const redacting = matches.filter(({ rule }) => rule.action === 'redact');
    const redacted: Match[] = [];
    for (const match of withoutOverlaps(redacting)) {
      if (match.start >= cut) break;
      if (!isEnd && !this.#isFinal(match)) {
        cut = Math.max(this.#sent, match.start);
        break;
      }
      cut = Math.max(cut, match.end);
      redacted.push(match);
    }
    for (const { start, rule } of redacting) {
      if (start < cut && !this.#isContinued(start)) this.#options.tally.add(rule.name, 'redact');
    }
    return { cut, redacted };
  }

  /** The match has its placeholder already. */
  #isContinued(start: number): boolean {
    return this.#isOpen && start < this.#sent;
  }

  #write(redacted: readonly Match[], cut: number): string {
    let output = '';
    for (const match of redacted) {
      output += this.#plain(match.start);
      if (!this.#isContinued(match.start)) output += this.#written(placeholder(match));
      this.#take(match.end);
      this.#isOpen = true;
    }
    return cut > this.#sent ? output + this.#plain(cut) : output;
  }

  /** The text as it is, up to `end`. */
  #plain(end: number): string {
    if (end <= this.#sent) return '';
    this.#isOpen = false;
    return this.#take(end);
  }

  #take(end: number): string {
    const text = this.#known.slice(this.#sent, end);
    this.#sent = end;
    return this.#options.notation?.take(text.length) ?? text;
  }

  #written(text: string): string {
    return this.#options.notation?.write(text) ?? text;
  }

  #forget(last: Match | undefined): void {
    const from = wholeCharacter(this.#known, Math.max(0, this.#sent - rememberedCharacters));
    if (last !== undefined && last.end === this.#known.length && last.start < from) this.#isEndless = true;
    this.#known = this.#known.slice(from);
    this.#sent -= from;
  }
}

/** A cut between the halves of a character moves to its start. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
