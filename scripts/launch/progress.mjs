/**
 * Shows which steps of set-up run: on a terminal one line that counts the seconds, elsewhere a line at the start and at
 * the end of each step.
 */
export function createProgress(stream, { everyMs = 1_000 } = {}) {
  const running = new Map();
  let timer;

  const print = (line) => stream.write(stream.isTTY ? `${eraseLine}${line}\n` : `${line}\n`);

  function paint() {
    const steps = [...running].map(([title, startedAt]) => `${title} ${secondsSince(startedAt)} s`);
    stream.write(`${eraseLine}Installing ${steps.join(', ')} …`);
  }

  function begin(title) {
    if (!stream.isTTY) print(`Installing ${title} …`);
    running.set(title, performance.now());
    if (!stream.isTTY) return;
    paint();
    timer ??= setInterval(paint, everyMs);
  }

  function end(title, succeeded) {
    const startedAt = running.get(title);
    running.delete(title);
    if (succeeded) print(`Installed ${title} in ${secondsSince(startedAt)} s.`);
    else if (stream.isTTY) stream.write(eraseLine);
    if (running.size > 0 && stream.isTTY) return paint();
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** Shows `title` until the work has ended. */
    async during(title, work) {
      begin(title);
      let succeeded = false;
      try {
        const result = await work();
        succeeded = true;
        return result;
      } finally {
        end(title, succeeded);
      }
    },
  };
}

const eraseLine = '\r\u001B[K';
const secondsSince = (startedAt) => Math.round((performance.now() - startedAt) / 1_000);
