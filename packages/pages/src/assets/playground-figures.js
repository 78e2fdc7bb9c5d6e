// What the answers of a playground cost and took, in words. Browsers and the server share this file.

/** The route and the cost, as the response states them. */
export function factsOf(headers, { usage, ms }) {
  return [
    ['Provider', headers.get('x-tallyport-provider')],
    ['Attempts', headers.get('x-tallyport-attempts')],
    ['Cache', headers.get('x-tallyport-cache')],
    ['Time', `${(ms / 1000).toFixed(1)} s`],
    ['Tokens', usage?.prompt_tokens !== undefined && `${usage.prompt_tokens} in, ${usage.completion_tokens ?? 0} out`],
    ['Cost', usage?.cost !== undefined && dollars(usage.cost)],
    ['Request', headers.get('x-request-id')],
  ].filter(([, value]) => value);
}

/** An answer beside the first one of its message, in one line. Figures that one of them lacks are left out. */
export function differenceText(first, own) {
  const parts = [
    difference(own.ms - first.ms, {
      more: 'slower',
      less: 'faster',
      text: (ms) => `${(ms / 1000).toFixed(1)} s`,
      least: 50,
    }),
    difference(own.tokens - first.tokens, {
      more: 'more',
      less: 'fewer',
      text: (count) => `${count} tokens`,
      least: 1,
    }),
    difference(own.cost - first.cost, { more: 'more expensive', less: 'cheaper', text: dollars, least: 1e-12 }),
  ].filter((part) => part !== '');
  return `Against ${first.model}: ${parts.length === 0 ? 'the same' : parts.join(', ')}.`;
}

/** Nothing for a figure that is not known, or that is the same. */
function difference(by, { more, less, text, least }) {
  if (!(Math.abs(by) >= least)) return '';
  return `${text(Math.abs(by))} ${by > 0 ? more : less}`;
}

const dollars = (amount) => `$${Number(amount.toPrecision(3))}`;

const shownNumbers = 4;

/** Each text as its numbers, and how near it is to the first one. */
export function embeddingsText(vectors) {
  return vectors
    .map((vector, at) => {
      const numbers = vector.slice(0, shownNumbers).map((number) => number.toFixed(4));
      const nearness = at === 0 ? '' : `; similarity to text 1: ${similarity(vectors[0], vector).toFixed(3)}`;
      return `Text ${at + 1}: ${vector.length} numbers, ${numbers.join(', ')} …${nearness}`;
    })
    .join('\n');
}

/** The cosine of the angle between them. */
function similarity(one, other) {
  const product = (left, right) => left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other)) || 0;
}
