import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

interface Socket {
  local: number;
  remote: number;
  state: string;
  inode: string;
}

const established = '01';
const listening = '0A';

/** The remote ports of the TCP connections that a process of this machine has opened. Linux only. */
export function openedPorts(pid: number): number[] {
  const inodes = new Set(socketsOf(pid));
  const sockets = ['tcp', 'tcp6'].flatMap((table) => readTable(`/proc/${pid}/net/${table}`));
  const own = sockets.filter(({ inode }) => inodes.has(inode));
  const served = new Set(own.filter(({ state }) => state === listening).map(({ local }) => local));
  const opened = own.filter(({ state, local }) => state === established && !served.has(local));
  return [...new Set(opened.map(({ remote }) => remote))];
}

function socketsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.slice(1) ?? [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

/** Each line after the first is a socket: number, local and remote address as hex, state, …, inode in the tenth column. */
function readTable(path: string): Socket[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [, local = '', remote = '', state = '', ...more] = line.trim().split(/\s+/);
    return { local: portOf(local), remote: portOf(remote), state, inode: more[5] ?? '' };
  });
}

const portOf = (address: string): number => Number.parseInt(address.slice(address.indexOf(':') + 1), 16);
