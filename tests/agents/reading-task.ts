import type { Agent } from './agent.ts';

export interface ReadingTask {
  prompt: string;
  /** The files of the working folder, by name. */
  files: Readonly<Record<string, string>>;
  /** A text that only the last file contains. */
  answer: string;
}

/** A task that takes three calls of the agent's tool, because each file of the folder requests the next one. */
export function readingTask({ readCall }: Agent, folder: string): ReadingTask {
  const request = (file: string) => {
    const call = readCall(file, folder);
    const members = Object.entries(call.arguments).map(([name, value]) => `;${name}=${value}`);
    return `[call:${call.tool}${members.join('')}]`;
  };
  const answer = 'The meeting is in room 4711.';
  return {
    prompt: `Read the file notes.txt and say where the meeting is. ${request('notes.txt')}`,
    files: {
      'notes.txt': `The plan has the room. ${request('plan.txt')}\n`,
      'plan.txt': `The room has its own file. ${request('room.txt')}\n`,
      'room.txt': `${answer}\n`,
    },
    answer,
  };
}
