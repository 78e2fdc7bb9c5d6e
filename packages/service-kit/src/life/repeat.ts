interface Repetition {
  everyMs: number;
  /** Gets what `work` throws or rejects with, which would end the process otherwise. */
  onFailed(error: unknown): void;
}

/** Does work again and again until the returned function is called. It keeps no process running. */
export function repeat({ everyMs, onFailed }: Repetition, work: () => unknown): () => void {
  async function attempt(): Promise<void> {
    try {
      await work();
    } catch (error) {
      onFailed(error);
    }
  }
  const timer = setInterval(() => void attempt(), everyMs).unref();
  return () => clearInterval(timer);
}
